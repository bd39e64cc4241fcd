import { canonicalIP, ipv4Number, readCanonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { RangePreset } from './rule.ts';

/** An IPv4 address as a number, IPv6 as a bigint. IPv4-mapped IPv6 counts as IPv4, so that no notation evades a range. */
export type IPNumber = number | bigint;

/**
 * Parses an IP address; undefined if the text is not an IP address. IPv4 is a number, because comparing numbers is much cheaper than
 * comparing bigints.
 */
export function readIP(text: string): IPNumber | undefined {
  const ipv4 = ipv4Number(text);
  if (ipv4 >= 0) return ipv4;
  const canonical = canonicalIP(text);
  if (canonical === undefined) return undefined;
  const { family, value } = readCanonicalIP(canonical);
  return family === 'IPv4' ? Number(value) : value;
}

/** A range of addresses of one family: the first and the last one. */
export type IPRange = readonly [number, number] | readonly [bigint, bigint];

/** Tests whether an address is in any of several ranges. */
export interface RangeSet {
  has(ip: IPNumber): boolean;
}

/** Parses a CIDR or a single IP; returns an error message if the text is neither. */
export function readRange(text: string): IPRange | string {
  const slash = text.indexOf('/');
  const ip = readIP(slash < 0 ? text : text.slice(0, slash));
  if (ip === undefined) return `${JSON.stringify(text)} is neither a CIDR nor an IP address`;
  const isMapped = typeof ip === 'number' && text.includes(':');
  const bits = typeof ip === 'number' && !isMapped ? 32 : 128;
  const length = slash < 0 ? bits : readPrefixLength(text.slice(slash + 1), bits);
  if (length === undefined) return `the prefix of ${JSON.stringify(text)} is not a number from 0 to ${bits}`;
  if (isMapped && length < 96) return `${JSON.stringify(text)} holds more than IPv4-mapped addresses`;
  const range = typeof ip === 'number' ? createIPv4Range(ip, isMapped ? length - 96 : length) : createIPv6Range(ip, length);
  return range ?? `${JSON.stringify(text)} has bits set behind its prefix`;
}

const readPrefixLength = (text: string, bits: number): number | undefined =>
  /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bits ? Number(text) : undefined;

/** Returns undefined if bits are set behind the prefix. */
function createIPv4Range(ip: number, length: number): IPRange | undefined {
  const size = 2 ** (32 - length);
  return ip % size === 0 ? [ip, ip + size - 1] : undefined;
}

function createIPv6Range(ip: bigint, length: number): IPRange | undefined {
  const size = 1n << BigInt(128 - length);
  return ip % size === 0n ? [ip, ip + size - 1n] : undefined;
}

const isIPv4Range = (range: IPRange): range is readonly [number, number] => typeof range[0] === 'number';
const isIPv6Range = (range: IPRange): range is readonly [bigint, bigint] => !isIPv4Range(range);

/** True if `outer` contains all of `inner`. */
export const isRangeWithin = (inner: IPRange, outer: IPRange): boolean =>
  isIPv4Range(inner) === isIPv4Range(outer) && outer[0] <= inner[0] && inner[1] <= outer[1];

/** Sorts and merges parsed ranges for binary search. */
export function createRangeSet(ranges: readonly IPRange[]): RangeSet {
  const ipv4 = mergeRanges(ranges.filter(isIPv4Range), (end) => end + 1);
  const ipv6 = mergeRanges(ranges.filter(isIPv6Range), (end) => end + 1n);
  return { has: (ip) => (typeof ip === 'number' ? containsNumber(ipv4, ip) : containsNumber(ipv6, ip)) };
}

/** Sorts ranges in ascending order, and merges overlapping and adjacent ranges. */
function mergeRanges<T extends number | bigint>(
  ranges: readonly (readonly [T, T])[],
  successor: (end: T) => T,
): { readonly starts: readonly T[]; readonly ends: readonly T[] } {
  const starts: T[] = [];
  const ends: T[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))) {
    const lastEnd = ends.at(-1);
    if (lastEnd !== undefined && start <= successor(lastEnd)) {
      if (end > lastEnd) ends[ends.length - 1] = end;
    } else {
      starts.push(start);
      ends.push(end);
    }
  }
  return { starts, ends };
}

/** True if one of the sorted ranges contains the number. Only the last range that begins at or before the number can. */
function containsNumber<T extends number | bigint>(
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
