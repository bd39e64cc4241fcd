import {
  type CIDR,
  canonicalIP,
  cidrContains,
  type IPFamily,
  ipFamilyOf,
  parseCIDRSloppy,
  parseIP,
  readCanonicalIP,
} from '../apimachinery/index.ts';

export const isIPFamily = (family: unknown): family is IPFamily => family === 'IPv4' || family === 'IPv6';

/**
 * Selects the addresses of the family; skips other texts.
 * @param isParsed whether to print them in Go's canonical form
 * @param isChecked whether to skip invalid texts, which count as IPv4 otherwise
 */
export function addressesOfFamily(texts: Iterable<string>, family: IPFamily, isParsed: boolean, isChecked = true): string[] {
  const addresses: string[] = [];
  for (const text of texts) {
    const ip = canonicalIP(text);
    if (ip === undefined ? !isChecked && family === 'IPv4' : ipFamilyOf(ip) === family) addresses.push(isParsed ? (ip ?? text) : text);
  }
  return addresses;
}

/**
 * Parses the CIDRs of the family; skips other texts, as kube-proxy does. `source` is the text without outer space.
 * @param usesAddress whether the address decides the family, not the network
 */
export const rangesOfFamily = (texts: Iterable<string>, family: IPFamily, usesAddress = false): (CIDR & { readonly source: string })[] =>
  Array.from(texts, (text) => text.replace(outerSpace, '')).flatMap((source) => {
    const range = parseCIDRSloppy(source);
    const rangeFamily = usesAddress ? ipFamilyOf(canonicalIP(source.replace(/\/.*/, '')) ?? '') : range?.family;
    return range && rangeFamily === family ? [{ ...range, source }] : [];
  });

/** Selects the CIDRs of the family by their addresses, as kube-proxy did before 1.21: an invalid text counts as IPv4. */
export const textsOfFamily = (texts: Iterable<string>, family: IPFamily, isTrimmed: boolean): string[] =>
  Array.from(texts, (text) => (isTrimmed ? text.replace(outerSpace, '') : text)).filter(
    (text) => rangesOfFamily([text], 'IPv6', true).some(({ source }) => source === text) === (family === 'IPv6'),
  );

/** White space as trimmed by Go's strings.TrimSpace; JavaScript's `trim` differs. */
const outerSpace = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** Whether a range contains an address. @param ip canonical, as returned by canonicalIP */
export const containsIP = (range: CIDR, ip: string): boolean => cidrContains(range, readCanonicalIP(ip));

/** Whether one of the ranges contains an address; invalid ranges are ignored. @param ip canonical, as returned by canonicalIP */
export const isInRanges = (ip: string, ranges: Iterable<string>): boolean =>
  Array.from(ranges, parseCIDRSloppy).some((range) => range && containsIP(range, ip));

/** Whether a range contains every address of its family. Mirrors IsZeroCIDR (1.36, pkg/proxy/util/utils.go). */
export const isZeroCIDR = ({ prefixLength }: CIDR): boolean => prefixLength === 0;

/** Compares addresses by number. A text that is not an address sorts first. */
export function compareIPs(a: string, b: string): number {
  const [x, y] = [parseIP(a)?.value ?? -1n, parseIP(b)?.value ?? -1n];
  return x === y ? 0 : x < y ? -1 : 1;
}
