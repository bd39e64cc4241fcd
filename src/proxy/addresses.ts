import {
  type CIDR,
  canonicalIP,
  cidrContains,
  type IPFamily,
  ipFamilyOf,
  parseCIDRSloppy,
  readCanonicalIP,
} from '../apimachinery/index.ts';

export const isIPFamily = (family: unknown): family is IPFamily => family === 'IPv4' || family === 'IPv6';

/** The texts that are addresses of the family, printed as Go prints them. */
export function addressesOfFamily(texts: Iterable<string>, family: IPFamily): string[] {
  const found: string[] = [];
  for (const text of texts) {
    const ip = canonicalIP(text);
    if (ip !== undefined && ipFamilyOf(ip) === family) found.push(ip);
  }
  return found;
}

/** The ranges of the family among the texts; others are skipped, as kube-proxy does. */
export const rangesOfFamily = (texts: Iterable<string>, family: IPFamily): CIDR[] =>
  Array.from(texts, (text) => parseCIDRSloppy(text.replace(outerSpace, ''))).filter((range): range is CIDR => range?.family === family);

/** As strings.TrimSpace of Go has it; `trim` knows another set of characters. */
const outerSpace = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** Whether an address is in a range. @param ip printed by canonicalIP */
export const holdsIP = (range: CIDR, ip: string): boolean => cidrContains(range, readCanonicalIP(ip));

/** Whether an address is in one of the ranges; texts that are not ranges hold nothing. @param ip printed by canonicalIP */
export const isInRanges = (ip: string, ranges: Iterable<string>): boolean =>
  Array.from(ranges, parseCIDRSloppy).some((range) => range && holdsIP(range, ip));

/** Whether a range holds every address of its family. Mirrors IsZeroCIDR (1.36, pkg/proxy/util/utils.go). */
export const isZeroCIDR = ({ prefixLength }: CIDR): boolean => prefixLength === 0;
