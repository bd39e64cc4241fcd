import { quote } from './go-text.ts';
import type { IP } from './ip.ts';

/** An IP address with an optional zone. IPv4-mapped IPv6 stays IPv6. */
export interface Addr extends IP {
  /** The part after the percent sign of an IPv6 address; empty if absent. */
  readonly zone: string;
}

/**
 * Parses an address without leading zeros. `parseIP` accepts the same texts, except zones; this function also explains failures.
 *
 * Mirrors netip.ParseAddr (net/netip/netip.go, Go 1.26).
 * @returns the error message if the text is not an address
 */
export function parseAddr(text: string): Addr | string {
  const parse = parsers[/[.:%]/.exec(text)?.[0] ?? ''] as (text: string) => Addr | Problem;
  const result = parse(text);
  if ('family' in result) return result;
  const { message, remainder } = result;
  return `ParseAddr(${quote(text)}): ${message}${remainder === undefined ? '' : ` (at ${quote(remainder)})`}`;
}

/** Whether the address is IPv4-mapped IPv6. */
export const isIPv4Mapped = ({ family, value }: IP): boolean => family === 'IPv6' && value >> 32n === 0xffffn;

interface Problem {
  readonly message: string;
  /** The text from the invalid character on. */
  readonly remainder?: string | undefined;
}

const parsers: Readonly<Record<string, (text: string) => Addr | Problem>> = {
  '.': parseIPv4,
  ':': parseIPv6,
  '%': () => ({ message: 'missing IPv6 address' }),
  '': () => ({ message: 'unable to parse IP' }),
};

function parseIPv4(text: string): Addr | Problem {
  const value = parseOctets(text);
  return typeof value === 'bigint' ? { family: 'IPv4', value, zone: '' } : value;
}

function parseOctets(text: string): bigint | Problem {
  const octets: number[] = [];
  let octet: number | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '.') {
      if (octet === undefined || i === text.length - 1)
        return { message: 'IPv4 field must have at least one digit', remainder: text.slice(i) };
      if (octets.push(octet) === 4) return { message: 'IPv4 address too long' };
      octet = undefined;
    } else {
      if (char < '0' || char > '9') return { message: 'unexpected character', remainder: text.slice(i) };
      if (octet === 0) return { message: 'IPv4 field has octet with leading zero' };
      octet = (octet ?? 0) * 10 + Number(char);
      if (octet > 255) return { message: 'IPv4 field has value >255' };
    }
  }
  if (octets.length < 3) return { message: 'IPv4 address too short' };
  return [...octets, octet ?? 0].reduce((value, each) => (value << 8n) | BigInt(each), 0n);
}

function parseIPv6(text: string): Addr | Problem {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return { message: 'zone must be a non-empty string' };
  const groups = parseGroups(percent < 0 ? text : text.slice(0, percent));
  if ('message' in groups) return groups;
  const { before, after } = groups;
  const missingCount = 8 - before.length - (after?.length ?? 0);
  if (missingCount > 0 && !after) return { message: 'address string too short' };
  if (missingCount === 0 && after) return { message: 'the :: must expand to at least one field of zeros' };
  const all = [...before, ...Array<number>(missingCount).fill(0), ...(after ?? [])];
  return { family: 'IPv6', value: all.reduce((value, group) => (value << 16n) | BigInt(group), 0n), zone };
}

interface Groups {
  readonly before: number[];
  /** The groups after "::"; undefined if there is no "::". */
  after: number[] | undefined;
}

function parseGroups(text: string): Groups | Problem {
  const groups: Groups = { before: [], after: text.startsWith('::') ? [] : undefined };
  let rest = groups.after ? text.slice(2) : text;
  if (groups.after && rest === '') return groups;
  while (groupCount(groups) < 8) {
    const digits = (/^[0-9a-fA-F]{0,5}/.exec(rest) as RegExpExecArray)[0];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', remainder: rest };
    if (digits === '') return { message: 'each colon-separated field must have at least one digit', remainder: rest };
    if (rest[digits.length] === '.') return parseEmbeddedIPv4(rest, groups);
    (groups.after ?? groups.before).push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') return groups;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', remainder: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', remainder: rest };
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (groups.after) return { message: 'multiple :: in address', remainder: rest };
      groups.after = [];
      rest = rest.slice(1);
      if (rest === '') return groups;
    }
  }
  return { message: 'trailing garbage after address', remainder: rest };
}

const groupCount = ({ before, after }: Groups): number => before.length + (after?.length ?? 0);

/** Parses IPv4 as the last two groups. */
function parseEmbeddedIPv4(rest: string, groups: Groups): Groups | Problem {
  if (!groups.after && groups.before.length !== 6) {
    return { message: 'embedded IPv4 address must replace the final 2 fields of the address', remainder: rest };
  }
  if (groupCount(groups) > 6) return { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', remainder: rest };
  const value = parseOctets(rest);
  if (typeof value !== 'bigint') return value;
  (groups.after ?? groups.before).push(Number(value >> 16n), Number(value & 0xffffn));
  return groups;
}
