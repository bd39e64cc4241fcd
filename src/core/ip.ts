/**
 * The text of an IP address as Go prints it after reading it leniently: leading zeros of IPv4 octets are decimal and
 * fall away, IPv6 is in the form of RFC 5952, IPv4-mapped IPv6 is IPv4. Undefined where the text is no IP address.
 *
 * Mirrors ParseIPSloppy of k8s.io/utils/net (internal/third_party/forked/golang/net/ip.go) and net.IP.String.
 */
export function canonicalIP(text: string): string | undefined {
  const first = firstSeparator(text);
  if (first === '.') return canonicalIPv4(text);
  return first === ':' ? canonicalIPv6(text) : undefined;
}

/** Whether the text is an IPv6 address and none that is IPv4-mapped. Mirrors IsIPv6String of k8s.io/utils/net. */
export const isIPv6 = (text: string): boolean => canonicalIP(text)?.includes(':') ?? false;

function firstSeparator(text: string): '.' | ':' | undefined {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === dot) return '.';
    if (unit === colon) return ':';
  }
  return undefined;
}

const dot = 0x2e;
const colon = 0x3a;
const zero = 0x30;

function canonicalIPv4(text: string): string | undefined {
  const shape = shapeOfIPv4(text);
  if (shape === 'canonical') return text;
  return shape === undefined ? undefined : text.split('.').map(Number).join('.');
}

/** Reads four decimal octets. "padded" where one has leading zeros, undefined where the text is no IPv4 address. */
function shapeOfIPv4(text: string): 'canonical' | 'padded' | undefined {
  let octets = 0;
  let digits = 0;
  let value = 0;
  let padded = false;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : dot;
    if (unit === dot) {
      if (digits === 0) return undefined;
      octets++;
      digits = 0;
      value = 0;
      continue;
    }
    if (unit < zero || unit > zero + 9) return undefined;
    if (digits > 0 && value === 0) padded = true;
    value = value * 10 + unit - zero;
    digits++;
    if (value > 255) return undefined;
  }
  if (octets !== 4) return undefined;
  return padded ? 'padded' : 'canonical';
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
      const embedded = atEnd && i === parts.length - 1 ? canonicalIPv4(part) : undefined;
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
