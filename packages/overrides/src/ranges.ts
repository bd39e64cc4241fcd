import { canonicalIP, ipv4Number, readCanonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { RangePreset } from './rule.ts';

/** An IP address as a number: `v4` below 2^32, or -1 and then `v6`. IPv4-mapped IPv6 counts as IPv4, so that no notation evades a range. */
export interface IPNumber {
  readonly v4: number;
  readonly v6?: bigint;
}

/** Undefined if the text is not an IP address. IPv4 is a number, because comparing numbers is much cheaper than comparing bigints. */
export function readIP(text: string): IPNumber | undefined {
  const ipv4 = ipv4Number(text);
  if (ipv4 >= 0) return { v4: ipv4 };
  const canonical = canonicalIP(text);
  if (canonical === undefined) return undefined;
  const { family, value } = readCanonicalIP(canonical);
  return family === 'IPv4' ? { v4: Number(value) } : { v4: -1, v6: value };
}

/** A range of addresses of one family; both ends are included. */
export type IPRange = { readonly v4: readonly [number, number] } | { readonly v6: readonly [bigint, bigint] };

/** Tests whether an address is in any of several ranges. */
export interface RangeSet {
  has(ip: IPNumber): boolean;
}

/** Parses a CIDR or a single IP; returns an error message if the text is neither. */
export function readRange(text: string): IPRange | string {
  const slash = text.indexOf('/');
  const ip = readIP(slash < 0 ? text : text.slice(0, slash));
  if (!ip) return `${JSON.stringify(text)} is neither a CIDR nor an IP address`;
  const mapped = ip.v4 >= 0 && text.includes(':');
  const bits = ip.v4 >= 0 && !mapped ? 32 : 128;
  const length = slash < 0 ? bits : readLength(text.slice(slash + 1), bits);
  if (length === undefined) return `the prefix of ${JSON.stringify(text)} is not a number from 0 to ${bits}`;
  if (mapped && length < 96) return `${JSON.stringify(text)} holds more than IPv4-mapped addresses`;
  return ip.v6 === undefined ? rangeOfV4(ip.v4, mapped ? length - 96 : length, text) : rangeOfV6(ip.v6, length, text);
}

const readLength = (text: string, bits: number): number | undefined =>
  /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bits ? Number(text) : undefined;

function rangeOfV4(number: number, length: number, text: string): IPRange | string {
  const size = 2 ** (32 - length);
  return number % size === 0 ? { v4: [number, number + size - 1] } : hostBitsMessage(text);
}

function rangeOfV6(number: bigint, length: number, text: string): IPRange | string {
  const size = 1n << BigInt(128 - length);
  return number % size === 0n ? { v6: [number, number + size - 1n] } : hostBitsMessage(text);
}

const hostBitsMessage = (text: string): string => `${JSON.stringify(text)} has bits set behind its prefix`;

/** True if `outer` contains all of `inner`. */
export const isRangeWithin = (inner: IPRange, outer: IPRange): boolean =>
  'v4' in inner
    ? 'v4' in outer && outer.v4[0] <= inner.v4[0] && inner.v4[1] <= outer.v4[1]
    : 'v6' in outer && outer.v6[0] <= inner.v6[0] && inner.v6[1] <= outer.v6[1];

/** Sorts and merges parsed ranges for binary search. */
export function rangeSetOf(ranges: readonly IPRange[]): RangeSet {
  const v4 = mergeRanges(
    ranges.flatMap((range) => ('v4' in range ? [range.v4] : [])),
    (end) => end + 1,
  );
  const v6 = mergeRanges(
    ranges.flatMap((range) => ('v6' in range ? [range.v6] : [])),
    (end) => end + 1n,
  );
  return { has: (ip) => (ip.v6 === undefined ? isWithin(v4, ip.v4) : isWithin(v6, ip.v6)) };
}

/** Ascending, without overlapping or adjacent ranges. */
function mergeRanges<T extends number | bigint>(
  ranges: readonly (readonly [T, T])[],
  next: (end: T) => T,
): { readonly starts: readonly T[]; readonly ends: readonly T[] } {
  const starts: T[] = [];
  const ends: T[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))) {
    const last = ends.at(-1);
    if (last !== undefined && start <= next(last)) {
      if (end > last) ends[ends.length - 1] = end;
    } else {
      starts.push(start);
      ends.push(end);
    }
  }
  return { starts, ends };
}

/** True if the last range that begins at or before a number contains it. */
function isWithin<T extends number | bigint>(
  { starts, ends }: { readonly starts: readonly T[]; readonly ends: readonly T[] },
  ip: T,
): boolean {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as T) <= ip) low = middle + 1;
    else high = middle;
  }
  return low > 0 && ip <= (ends[low - 1] as T);
}

/** The ranges of presets, based on what the API server itself rejects in Endpoints. */
export const presetRanges: Readonly<Record<Exclude<RangePreset, 'pods-of-other-namespaces'>, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  unspecified: ['0.0.0.0/32', '::/128'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
};
