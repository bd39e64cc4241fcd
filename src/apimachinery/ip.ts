/**
 * The text of an IP address as Go prints it after reading it leniently: leading zeros of IPv4 octets are decimal and
 * fall away, IPv6 is in the form of RFC 5952, IPv4-mapped IPv6 is IPv4. Undefined where the text is no IP address.
 *
 * Mirrors ParseIPSloppy of k8s.io/utils/net (internal/third_party/forked/golang/net/ip.go) and net.IP.String.
 */
export function canonicalIP(text: string): string | undefined {
  if (rankOfIPv4(text) >= 0) return text;
  const separator = /[.:]/.exec(text)?.[0];
  if (separator === '.') return lenientIPv4(text);
  return separator === ':' ? canonicalIPv6(text) : undefined;
}

/** Whether the text is an IPv6 address and none that is IPv4-mapped. Mirrors IsIPv6String of k8s.io/utils/net. */
export const isIPv6 = (text: string): boolean => canonicalIP(text)?.includes(':') ?? false;

/**
 * The place of a plain IPv4 address among all of them in the order of texts, from 0 to 2^32 - 1; negative for any other
 * text, leading zeros included. Dots sort before digits, so that octets can be ranked one by one.
 */
export function rankOfIPv4(text: string): number {
  let rank = 0;
  let octet = none;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zero;
    if (digit === dot) {
      if (octet === none) return -1;
      rank = (rank << 8) | (rankOfOctet[octet] as number);
      octet = none;
      dots++;
    } else {
      if (digit < 0 || digit > 9 || octet === 0) return -1;
      octet = octet === none ? digit : octet * 10 + digit;
      if (octet > 255) return -1;
    }
  }
  return dots === 3 && octet !== none ? ((rank << 8) | (rankOfOctet[octet] as number)) >>> 0 : -1;
}

const none = -1;
const zero = 0x30;
const dot = 0x2e - zero;

/** The rank of each octet among 0 to 255 sorted as texts. */
const rankOfOctet: Uint8Array = /* @__PURE__ */ ranksOfOctets();

function ranksOfOctets(): Uint8Array {
  const byText = Array.from({ length: 256 }, (_, octet) => octet).sort((a, b) => (String(a) < String(b) ? -1 : 1));
  const ranks = new Uint8Array(256);
  for (const [rank, octet] of byText.entries()) ranks[octet] = rank;
  return ranks;
}

/** Four decimal octets, with any number of leading zeros. */
function lenientIPv4(text: string): string | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^0*\d{1,3}$/.test(octet) && Number(octet) <= 255)) return undefined;
  return octets.map(Number).join('.');
}

function canonicalIPv6(text: string): string | undefined {
  const groups = groupsOf(text);
  if (!groups) return undefined;
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return mapped ? dotted(groups[6] as number, groups[7] as number) : printGroups(groups);
}

/** The eight groups of an IPv6 address, or undefined. At most one "::", which stands for one group of zeros or more. */
function groupsOf(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] as string, halves.length === 1);
  const tail = halves.length === 2 ? readGroups(halves[1] as string, true) : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : undefined;
  return missing > 0 ? [...head, ...Array<number>(missing).fill(0), ...tail] : undefined;
}

/** Groups between colons; the last may be a dotted IPv4 address where that stands at the end of the address. */
function readGroups(text: string, atEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      const embedded = atEnd && i === parts.length - 1 ? lenientIPv4(part) : undefined;
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

/** Lenient as the original: any number of leading zeros. */
const hexadecimal = /^0*[0-9a-fA-F]{1,4}$/;

const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;

/** RFC 5952: lower case, no leading zeros, "::" for the first of the longest runs of two zero groups or more. */
function printGroups(groups: readonly number[]): string {
  const [start, length] = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
  }
  return best;
}
