import { canonicalIP, hasLeadingZeros, isIPv6 } from '../../apimachinery/index.ts';
import { type Draft, isFamily, isHeadless, needsClusterIP, none } from './draft.ts';
import type { Causes } from './failures.ts';

/**
 * Whether clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy go together. Mirrors ValidateServiceClusterIPsRelatedFields
 * (pkg/apis/core/validation/validation.go, 1.36).
 */
export function validateClusterIPFields(service: Draft, old: Draft | undefined, strict: boolean, causes: Causes): void {
  if (!needsClusterIP(service)) return;
  validateFirst(service, causes);
  validateFamilies(service, causes);
  const bad = validateAddresses(service, old?.clusterIPs ?? [], strict, causes);
  if (service.clusterIPs.length > 2) causes.invalid('spec.clusterIPs', service.clusterIPs, 'may only hold up to 2 values');
  if (bad) return;
  if (service.clusterIPs.length > 1) validatePair(service.clusterIPs, causes);
  if (!isHeadless(service)) validateMatch(service, causes);
}

function validateFirst({ clusterIP, clusterIPs }: Draft, causes: Causes): void {
  if (clusterIP === '') {
    if (clusterIPs.length > 0) causes.invalid('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified');
  } else if (clusterIPs.length === 0) causes.required('spec.clusterIPs');
  else if (clusterIPs[0] !== clusterIP) causes.invalid('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`');
}

function validateFamilies({ ipFamilies, ipFamilyPolicy }: Draft, causes: Causes): void {
  for (const [i, family] of ipFamilies.entries()) {
    const field = `spec.ipFamilies[${i}]`;
    if (!isFamily(family)) causes.notSupported(field, family, ['IPv4', 'IPv6']);
    if (ipFamilies.indexOf(family) < i) causes.duplicate(field, family);
  }
  if (ipFamilyPolicy !== '' && !policies.includes(ipFamilyPolicy)) {
    causes.notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies);
  }
}

const policies: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Whether any is wrong. Those that were accepted before are not looked at again. */
function validateAddresses({ clusterIPs }: Draft, accepted: readonly string[], strict: boolean, causes: Causes): boolean {
  let bad = false;
  for (const [i, ip] of clusterIPs.entries()) {
    if (i === 0 && ip === none) {
      if (clusterIPs.length === 1) continue;
      causes.invalid('spec.clusterIPs', clusterIPs, "'None' must be the first and only value");
      bad = true;
    } else if (!accepted.includes(ip)) {
      const complaints = complaintsAbout(ip, strict);
      for (const complaint of complaints) causes.invalid(`spec.clusterIPs[${i}]`, ip, complaint);
      bad ||= complaints.length > 0;
    }
  }
  return bad;
}

function complaintsAbout(ip: string, strict: boolean): string[] {
  const canonical = canonicalIP(ip);
  if (canonical === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!strict) return [];
  if (hasLeadingZeros(ip)) return ['must not have leading 0s'];
  return ip.includes(':') && !canonical.includes(':') ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** "None" gets here in the second place where the Service had it in the first. */
function validatePair(ips: readonly string[], causes: Causes): void {
  const bad = ips.findIndex((ip) => canonicalIP(ip) === undefined);
  if (bad >= 0) causes.internal('spec.clusterIPs', `failed to check for dual stack with error:invalid IP[${bad}]: ${ips[bad]}`);
  if (bad >= 0 || !isDualStack(ips)) causes.invalid('spec.clusterIPs', ips, 'may specify no more than one IP for each IP family');
}

/** Of more than two there are always two of one family, which the original does not count. */
const isDualStack = (ips: readonly string[]): boolean => ips.some(isIPv6) && !ips.every(isIPv6);

function validateMatch({ clusterIPs, ipFamilies }: Draft, causes: Causes): void {
  for (const [i, ip] of clusterIPs.slice(0, ipFamilies.length).entries()) {
    const family = ipFamilies[i] ?? '';
    if (isFamily(family) && isIPv6(ip) !== (family === 'IPv6')) {
      causes.invalid(`spec.clusterIPs[${i}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
    }
  }
}
