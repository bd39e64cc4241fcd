/** The family of an IP address, as Services and EndpointSlices name it. */
export type IPFamily = 'IPv4' | 'IPv6';

/** An IP address as a number. */
export interface IP {
  readonly family: IPFamily;
  readonly value: bigint;
}

/** The width of an address in bits. */
export const ipBits: Readonly<Record<IPFamily, number>> = { IPv4: 32, IPv6: 128 };

/**
 * The text of an IP address as Go prints it after parsing it leniently. IPv4 octets may have leading zeros, which are dropped and do not
 * make them octal. IPv6 gets the form of RFC 5952; an IPv4-mapped IPv6 address becomes IPv4. Undefined if the text is not an IP address.
 *
 * Mirrors ParseIPSloppy of k8s.io/utils/net (internal/third_party/forked/golang/net/ip.go) and net.IP.String.
 */
export function canonicalIP(text: string): string | undefined {
  if (ipv4Number(text) >= 0) return text;
  const separator = /[.:]/.exec(text)?.[0];
  if (separator === '.') return canonicalIPv4(text);
  return separator === ':' ? canonicalIPv6(text) : undefined;
}

/** Like `canonicalIP`, but rejects leading zeros. Mirrors net.ParseIP (Go 1.17 and later) and net.IP.String. */
export const strictIP = (text: string): string | undefined => (hasLeadingZeros(text) ? undefined : canonicalIP(text));

/** Whether octets begin with a zero or groups have more than four digits, which only lenient parsers accept. */
export const hasLeadingZeros = (text: string): boolean => leadingZeros.test(text);

const leadingZeros = /(?:^|:)0\d+\.|\.0\d|[\da-f]{5}/i;

/** Parses an address as net.ParseIP does. Undefined if the text is not an IP address, or has leading zeros. */
export function parseIP(text: string): IP | undefined {
  const canonical = strictIP(text);
  return canonical === undefined ? undefined : readCanonicalIP(canonical);
}

/** @param canonical a text that `canonicalIP` or `strictIP` returned */
export function readCanonicalIP(canonical: string): IP {
  if (!canonical.includes(':')) return { family: 'IPv4', value: BigInt(ipv4Number(canonical)) };
  return { family: 'IPv6', value: (groupsOf(canonical) as number[]).reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}

/** Prints an address as net.IP.String does, that is, an IPv4-mapped IPv6 address as IPv4. */
export function printIP({ family, value }: IP): string {
  if (family === 'IPv4' || value >> 32n === 0xffffn) return printDotted(Number((value >> 16n) & 0xffffn), Number(value & 0xffffn));
  return printGroups(Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn)));
}

/** @param canonical a text that `canonicalIP` or `strictIP` returned */
export const ipFamilyOf = (canonical: string): IPFamily => (canonical.includes(':') ? 'IPv6' : 'IPv4');

/** Whether the text is an IPv6 address that is not IPv4-mapped. Mirrors IsIPv6String of k8s.io/utils/net. */
export const isIPv6 = (text: string): boolean => canonicalIP(text)?.includes(':') ?? false;

/** The number of an IPv4 address without leading zeros, from 0 to 2^32 - 1; -1 for any other text. */
export function ipv4Number(text: string): number {
  let number = 0;
  let octet = noDigits;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zeroCode;
    if (digit === dotDigit) {
      if (octet === noDigits) return -1;
      number = (number << 8) | octet;
      octet = noDigits;
      dots++;
    } else {
      if (digit < 0 || digit > 9 || octet === 0) return -1;
      octet = octet === noDigits ? digit : octet * 10 + digit;
      if (octet > 255) return -1;
    }
  }
  return dots === 3 && octet !== noDigits ? ((number << 8) | octet) >>> 0 : -1;
}

const noDigits = -1;
const zeroCode = 0x30;
const dotDigit = 0x2e - zeroCode;

/**
 * The rank of an IPv4 address without leading zeros among all such addresses sorted as texts, from 0 to 2^32 - 1; -1 for any
 * other text. Dots sort before digits, so octets can be ranked separately.
 */
export function rankOfIPv4(text: string): number {
  const number = ipv4Number(text);
  if (number < 0) return -1;
  const high = (rankOf(number >>> 24) << 24) | (rankOf((number >>> 16) & 255) << 16);
  return (high | (rankOf((number >>> 8) & 255) << 8) | rankOf(number & 255)) >>> 0;
}

const rankOf = (octet: number): number => rankOfOctet[octet] as number;

/** The rank of each octet among 0 to 255 sorted as texts. */
const rankOfOctet: Uint8Array = /* @__PURE__ */ rankOctets();

function rankOctets(): Uint8Array {
  const sortedTexts = Array.from({ length: 256 }, (_, octet) => String(octet)).sort();
  const ranks = new Uint8Array(256);
  for (const [rank, text] of sortedTexts.entries()) ranks[Number(text)] = rank;
  return ranks;
}

/** Parses four decimal octets with any number of leading zeros, and returns them without these; undefined for any other text. */
function canonicalIPv4(text: string): string | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^0*\d{1,3}$/.test(octet) && Number(octet) <= 255)) return undefined;
  return octets.map(Number).join('.');
}

function canonicalIPv6(text: string): string | undefined {
  const groups = groupsOf(text);
  if (!groups) return undefined;
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? printDotted(groups[6] as number, groups[7] as number) : printGroups(groups);
}

/**
 * Parses the eight groups of an IPv6 address; undefined if the text is not one. At most one "::", which stands for one group of zeros or
 * more.
 */
function groupsOf(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] as string, halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] as string, true) : [];
  if (!head || !tail) return undefined;
  const missingCount = 8 - head.length - tail.length;
  if (halves.length === 1) return missingCount === 0 ? head : undefined;
  return missingCount > 0 ? [...head, ...Array<number>(missingCount).fill(0), ...tail] : undefined;
}

/** Parses groups between colons. With `mayEndInIPv4`, the last part may be a dotted IPv4 address. */
function parseGroups(text: string, mayEndInIPv4: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      const embedded = mayEndInIPv4 && i === parts.length - 1 ? canonicalIPv4(part) : undefined;
      if (embedded === undefined) return undefined;
      const [a, b, c, d] = embedded.split('.').map(Number) as [number, number, number, number];
      groups.push((a << 8) | b, (c << 8) | d);
    } else {
      if (!hexadecimal.test(part)) return undefined;
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups;
}

/** Any number of leading zeros, as upstream's lenient parser accepts. */
const hexadecimal = /^0*[0-9a-fA-F]{1,4}$/;

const printDotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** RFC 5952: lower case, no leading zeros, "::" for the first of the longest runs of two zero groups or more. */
function printGroups(groups: readonly number[]): string {
  const [start, length] = findLongestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function findLongestZeroRun(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
  }
  return best;
}
