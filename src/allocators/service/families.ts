import { canonicalIP, hasLeadingZeros, type IPFamily, ipFamilyOf, isIPv6 } from '../../apimachinery/index.ts';
import { clusterIPNone, type Draft, isFamily, isHeadless, isSameList, needsClusterIP, otherFamily } from './draft.ts';
import type { Causes } from './failures.ts';
import type { ServiceAllocators } from './types.ts';

export type Cluster = Pick<ServiceAllocators, 'clusterIPs' | 'defaultFamily'>;

/**
 * Defaults ipFamilyPolicy and ipFamilies, and reports what this cluster cannot provide. Mirrors initIPFamilyFields
 * (pkg/registry/core/service/storage/alloc.go, 1.36).
 * @param strict whether addresses with leading zeros and IPv4-mapped IPv6 addresses are invalid
 */
export function initIPFamilyFields(service: Draft, old: Draft | undefined, cluster: Cluster, strict: boolean, causes: Causes): void {
  if (!needsClusterIP(service) || isUnchangedPreference(service, old)) return;
  service.ipFamilyPolicy ||= old?.ipFamilyPolicy || (isHeadlessWithoutSelector(service) ? 'RequireDualStack' : 'SingleStack');
  validateClusterIPFields(service, old, strict, causes);
  if (causes.list.length > 0) return;
  if (old) releaseSecondaryValues(service, old, causes);
  checkPolicy(service, causes);
  inferFamilies(service, cluster, causes);
  if (causes.list.length > 0) return;
  const allowsAnyFamily = isHeadlessWithoutSelector(service);
  if (!allowsAnyFamily) checkClusterFamilies(service, cluster, causes);
  if (causes.list.length > 0) return;
  if (service.ipFamilies.length === 0) service.ipFamilies = [cluster.defaultFamily];
  if (service.ipFamilyPolicy !== 'SingleStack' && service.ipFamilies.length === 1 && (allowsAnyFamily || isDualStackCluster(cluster))) {
    service.ipFamilies.push(otherFamily(service.ipFamilies[0] as string));
  }
}

/**
 * Whether the Service prefers dual stack and all related fields are equal. Such a Service stays unchanged even if its cluster gained or
 * lost a family. Mirrors isMatchingPreferDualStackClusterIPFields.
 */
export function isUnchangedPreference(service: Draft, old: Draft | undefined): boolean {
  return (
    old !== undefined &&
    old.type === service.type &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(service.type) &&
    service.ipFamilyPolicy === 'PreferDualStack' &&
    ['', 'PreferDualStack'].includes(old.ipFamilyPolicy) &&
    isSameList(old.clusterIPs, service.clusterIPs) &&
    isSameList(old.ipFamilies, service.ipFamilies)
  );
}

/** Headless without a selector: its endpoints may have any family. */
const isHeadlessWithoutSelector = ({ clusterIP, hasSelector }: Draft): boolean => clusterIP === clusterIPNone && !hasSelector;

const isDualStackCluster = ({ clusterIPs }: Cluster): boolean => Object.values(clusterIPs).filter(Boolean).length > 1;

/** On an update, SingleStack drops the second value of lists that are otherwise unchanged; with other policies no list may get shorter. */
function releaseSecondaryValues(service: Draft, old: Draft, causes: Causes): void {
  if (service.ipFamilyPolicy === 'SingleStack') {
    if (isSameList(old.clusterIPs, service.clusterIPs)) service.clusterIPs.length = Math.min(1, service.clusterIPs.length);
    if (isSameList(old.ipFamilies, service.ipFamilies)) service.ipFamilies.length = Math.min(1, service.ipFamilies.length);
    return;
  }
  const isShorter = (list: readonly string[], before: readonly string[]): boolean => list.length > 0 && list.length < before.length;
  const reportInvalid = (detail: string): void => causes.invalid('spec.ipFamilyPolicy', service.ipFamilyPolicy, detail);
  if (isShorter(service.clusterIPs, old.clusterIPs)) reportInvalid("must be 'SingleStack' to release the secondary cluster IP");
  if (isShorter(service.ipFamilies, old.ipFamilies)) reportInvalid("must be 'SingleStack' to release the secondary IP family");
}

function checkPolicy({ ipFamilyPolicy, clusterIPs, ipFamilies }: Draft, causes: Causes): void {
  if (ipFamilyPolicy !== 'SingleStack') return;
  const reportInvalid = (listName: string): void =>
    causes.invalid(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${listName} are specified`,
    );
  if (clusterIPs.length === 2) reportInvalid('cluster IPs');
  if (ipFamilies.length === 2) reportInvalid('IP families');
}

/** Derives missing families from the requested addresses. */
function inferFamilies(service: Draft, { clusterIPs }: Cluster, causes: Causes): void {
  for (const [i, ip] of service.clusterIPs.entries()) {
    if (ip === clusterIPNone) return;
    if (i < service.ipFamilies.length) continue;
    const family = familyOf(ip);
    if (family && clusterIPs[family]) service.ipFamilies.push(family);
    else causes.invalid(`spec.clusterIPs[${i}]`, service.clusterIPs, `${family ?? 'unknown'} is not configured on this cluster`);
  }
}

function familyOf(ip: string): IPFamily | undefined {
  const canonical = canonicalIP(ip);
  return canonical === undefined ? undefined : ipFamilyOf(canonical);
}

function checkClusterFamilies({ ipFamilyPolicy, ipFamilies }: Draft, cluster: Cluster, causes: Causes): void {
  if (ipFamilyPolicy === 'RequireDualStack' && !isDualStackCluster(cluster)) {
    causes.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  for (const [i, family] of ipFamilies.entries()) {
    if (!isFamily(family) || !cluster.clusterIPs[family]) {
      causes.invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster');
    }
  }
}

/**
 * Makes clusterIPs consistent with clusterIP, for clients that know only clusterIP. Mirrors normalizeClusterIPs
 * (pkg/registry/core/service/storage/storage.go, 1.36).
 */
export function normalizeClusterIPs(service: Draft, old?: Draft): void {
  if (!old) {
    if (service.clusterIP !== '' && service.clusterIPs.length === 0) service.clusterIPs = [service.clusterIP];
    return;
  }
  const isUnchanged = (): boolean => isSameList(service.clusterIPs, old.clusterIPs);
  if (service.clusterIP === old.clusterIP) {
    if (service.clusterIPs.length === 0) service.clusterIPs = [...old.clusterIPs];
  } else if (isUnchanged()) {
    service.clusterIPs = service.clusterIP === '' ? [] : [service.clusterIP];
  }
}

/** Defaults fields that a Service stored by an older release lacks. Mirrors defaultOnReadService (storage.go, 1.36). */
export function defaultDraftOnRead(service: Draft, defaultFamily: IPFamily): void {
  normalizeClusterIPs(service);
  if (!needsClusterIP(service)) service.internalTrafficPolicy = '';
  else if (service.ipFamilies.length === 0) defaultFamilies(service, defaultFamily);
}

/**
 * Defaults ipFamilies and ipFamilyPolicy. A headless Service without a selector has both families, regardless of the cluster. Other
 * headless Services have the default family. All other Services have the families of their addresses.
 */
function defaultFamilies(service: Draft, defaultFamily: IPFamily): void {
  if (service.clusterIP !== clusterIPNone) {
    service.ipFamilies = service.clusterIPs.map((ip) => (isIPv6(ip) ? 'IPv6' : 'IPv4'));
    const policyByFamilyCount = ['', 'SingleStack', 'RequireDualStack'];
    service.ipFamilyPolicy = policyByFamilyCount[service.ipFamilies.length] || service.ipFamilyPolicy;
  } else if (service.hasSelector) {
    service.ipFamilyPolicy = 'SingleStack';
    service.ipFamilies = [defaultFamily];
  } else {
    service.ipFamilyPolicy = 'RequireDualStack';
    service.ipFamilies = [defaultFamily, otherFamily(defaultFamily)];
  }
}

/**
 * Checks that clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy are consistent. Mirrors ValidateServiceClusterIPsRelatedFields
 * (pkg/apis/core/validation/validation.go, 1.36).
 */
export function validateClusterIPFields(service: Draft, old: Draft | undefined, strict: boolean, causes: Causes): void {
  if (!needsClusterIP(service)) return;
  validateFirstAddress(service, causes);
  validateFamilies(service, causes);
  const hasInvalidAddress = validateAddresses(service, old?.clusterIPs ?? [], strict, causes);
  if (service.clusterIPs.length > 2) causes.invalid('spec.clusterIPs', service.clusterIPs, 'may only hold up to 2 values');
  if (hasInvalidAddress) return;
  if (service.clusterIPs.length > 1) validateAddressPair(service.clusterIPs, causes);
  if (!isHeadless(service)) validateAddressFamilies(service, causes);
}

function validateFirstAddress({ clusterIP, clusterIPs }: Draft, causes: Causes): void {
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

/** Returns whether any address is invalid. Addresses of the old Service are not checked again. */
function validateAddresses({ clusterIPs }: Draft, oldClusterIPs: readonly string[], strict: boolean, causes: Causes): boolean {
  let isInvalid = false;
  for (const [i, ip] of clusterIPs.entries()) {
    if (i === 0 && ip === clusterIPNone) {
      if (clusterIPs.length === 1) continue;
      causes.invalid('spec.clusterIPs', clusterIPs, "'None' must be the first and only value");
      isInvalid = true;
    } else if (!oldClusterIPs.includes(ip)) {
      const problems = problemsOfAddress(ip, strict);
      for (const problem of problems) causes.invalid(`spec.clusterIPs[${i}]`, ip, problem);
      isInvalid ||= problems.length > 0;
    }
  }
  return isInvalid;
}

function problemsOfAddress(ip: string, strict: boolean): string[] {
  const canonical = canonicalIP(ip);
  if (canonical === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!strict) return [];
  if (hasLeadingZeros(ip)) return ['must not have leading 0s'];
  return ip.includes(':') && !canonical.includes(':') ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/**
 * Checks that two addresses have different families. "None" can be the second value here only if the old Service had it, as accepted values
 * are not checked again.
 */
function validateAddressPair(ips: readonly string[], causes: Causes): void {
  const invalidIndex = ips.findIndex((ip) => canonicalIP(ip) === undefined);
  if (invalidIndex >= 0)
    causes.internal('spec.clusterIPs', `failed to check for dual stack with error:invalid IP[${invalidIndex}]: ${ips[invalidIndex]}`);
  if (invalidIndex >= 0 || !isDualStack(ips)) causes.invalid('spec.clusterIPs', ips, 'may specify no more than one IP for each IP family');
}

/** Whether the addresses have both families. With more than two addresses, a family repeats; upstream does not check that here. */
const isDualStack = (ips: readonly string[]): boolean => ips.some(isIPv6) && !ips.every(isIPv6);

function validateAddressFamilies({ clusterIPs, ipFamilies }: Draft, causes: Causes): void {
  for (const [i, ip] of clusterIPs.slice(0, ipFamilies.length).entries()) {
    const family = ipFamilies[i] ?? '';
    if (isFamily(family) && isIPv6(ip) !== (family === 'IPv6')) {
      causes.invalid(`spec.clusterIPs[${i}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
    }
  }
}
