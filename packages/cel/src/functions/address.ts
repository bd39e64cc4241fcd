import { quote } from 'kube-endpoints/internal';

/** An IP address as one number. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
  /** Of IPv6, after a percent sign; empty where there is none. */
  readonly zone: string;
}

/**
 * Reads an address strictly: no leading zeros in IPv4.
 *
 * Mirrors ParseAddr (net/netip/netip.go, Go 1.26).
 * @returns what it says of a text that is none
 */
export function parseAddress(text: string): Address | string {
  const read = readers[/[.:%]/.exec(text)?.[0] ?? ''] as (text: string) => Address | Problem;
  const found = read(text);
  if ('bits' in found) return found;
  const { message, at } = found;
  return `ParseAddr(${quote(text)}): ${message}${at === undefined ? '' : ` (at ${quote(at)})`}`;
}

/** Whether it is an IPv4 address written as IPv6. */
export const isMapped = ({ bits, value }: Address): boolean => bits === 128 && value >> 32n === 0xffffn;

/** Mirrors Addr.String, but for zones and mapped addresses. */
export function printAddress({ bits, value }: Pick<Address, 'bits' | 'value'>): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const [start, length] = longestZeros(groups);
  return length < 2 ? groups.join(':') : `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

interface Problem {
  readonly message: string;
  /** Where in the text, as what stands from there on. */
  readonly at?: string | undefined;
}

const readers: Readonly<Record<string, (text: string) => Address | Problem>> = {
  '.': readIPv4,
  ':': readIPv6,
  '%': () => ({ message: 'missing IPv6 address' }),
  '': () => ({ message: 'unable to parse IP' }),
};

function readIPv4(text: string): Address | Problem {
  const value = readOctets(text);
  return typeof value === 'bigint' ? { bits: 32, value, zone: '' } : value;
}

function readOctets(text: string): bigint | Problem {
  const octets: number[] = [];
  let octet: number | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '.') {
      if (octet === undefined || i === text.length - 1) return { message: 'IPv4 field must have at least one digit', at: text.slice(i) };
      if (octets.push(octet) === 4) return { message: 'IPv4 address too long' };
      octet = undefined;
    } else {
      if (char < '0' || char > '9') return { message: 'unexpected character', at: text.slice(i) };
      if (octet === 0) return { message: 'IPv4 field has octet with leading zero' };
      octet = (octet ?? 0) * 10 + Number(char);
      if (octet > 255) return { message: 'IPv4 field has value >255' };
    }
  }
  if (octets.length < 3) return { message: 'IPv4 address too short' };
  return [...octets, octet ?? 0].reduce((value, each) => (value << 8n) | BigInt(each), 0n);
}

function readIPv6(whole: string): Address | Problem {
  const percent = whole.indexOf('%');
  const zone = percent < 0 ? '' : whole.slice(percent + 1);
  if (percent >= 0 && zone === '') return { message: 'zone must be a non-empty string' };
  const groups = readGroups(percent < 0 ? whole : whole.slice(0, percent));
  if ('message' in groups) return groups;
  const { before, after } = groups;
  const missing = 8 - before.length - (after?.length ?? 0);
  if (missing > 0 && !after) return { message: 'address string too short' };
  if (missing === 0 && after) return { message: 'the :: must expand to at least one field of zeros' };
  const all = [...before, ...Array<number>(missing).fill(0), ...(after ?? [])];
  return { bits: 128, value: all.reduce((value, group) => (value << 16n) | BigInt(group), 0n), zone };
}

interface Groups {
  readonly before: number[];
  /** What follows "::", where that stands. */
  after: number[] | undefined;
}

function readGroups(text: string): Groups | Problem {
  const groups: Groups = { before: [], after: text.startsWith('::') ? [] : undefined };
  let rest = groups.after ? text.slice(2) : text;
  if (groups.after && rest === '') return groups;
  while (countOf(groups) < 8) {
    const digits = (/^[0-9a-fA-F]{0,5}/.exec(rest) as RegExpExecArray)[0];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === '') return { message: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits.length] === '.') return readEnd(rest, groups);
    (groups.after ?? groups.before).push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') return groups;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (groups.after) return { message: 'multiple :: in address', at: rest };
      groups.after = [];
      rest = rest.slice(1);
      if (rest === '') return groups;
    }
  }
  return { message: 'trailing garbage after address', at: rest };
}

const countOf = ({ before, after }: Groups): number => before.length + (after?.length ?? 0);

/** IPv4 as the last two groups. */
function readEnd(rest: string, groups: Groups): Groups | Problem {
  if (!groups.after && groups.before.length !== 6) {
    return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  }
  if (countOf(groups) > 6) return { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
  const value = readOctets(rest);
  if (typeof value !== 'bigint') return value;
  (groups.after ?? groups.before).push(Number(value >> 16n), Number(value & 0xffffn));
  return groups;
}

function longestZeros(groups: readonly string[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === '0') end++;
    if (end - start > best[1]) best = [start, end - start];
  }
  return best;
}
