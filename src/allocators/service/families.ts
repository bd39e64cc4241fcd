import { canonicalIP, type IPFamily, ipFamilyOf } from '../../apimachinery/index.ts';
import { type Draft, isFamily, needsClusterIP, none, otherFamily, sameList } from './draft.ts';
import type { Causes } from './failures.ts';
import type { ServiceAllocators } from './types.ts';
import { validateClusterIPFields } from './validate.ts';

export type Cluster = Pick<ServiceAllocators, 'clusterIPs' | 'defaultFamily'>;

/**
 * Defaults ipFamilyPolicy and ipFamilies, and says what of them this cluster cannot give. Mirrors initIPFamilyFields
 * (pkg/registry/core/service/storage/alloc.go, 1.36).
 */
export function initIPFamilyFields(service: Draft, old: Draft | undefined, cluster: Cluster, strict: boolean, causes: Causes): void {
  if (!needsClusterIP(service) || isUnchangedPreference(service, old)) return;
  service.ipFamilyPolicy ||= old?.ipFamilyPolicy || (isBare(service) ? 'RequireDualStack' : 'SingleStack');
  validateClusterIPFields(service, old, strict, causes);
  if (causes.list.length > 0) return;
  if (old) reduce(service, old, causes);
  checkPolicy(service, causes);
  inferFamilies(service, cluster, causes);
  if (causes.list.length > 0) return;
  const bare = isBare(service);
  if (!bare) checkCluster(service, cluster, causes);
  if (causes.list.length > 0) return;
  if (service.ipFamilies.length === 0) service.ipFamilies = [cluster.defaultFamily];
  if (service.ipFamilyPolicy !== 'SingleStack' && service.ipFamilies.length === 1 && (bare || isDualStackCluster(cluster))) {
    service.ipFamilies.push(otherFamily(service.ipFamilies[0] as string));
  }
}

/**
 * Whether both prefer dual stack and agree on everything else: such a Service is not touched when its cluster has got a family or
 * lost one. Mirrors isMatchingPreferDualStackClusterIPFields.
 */
export function isUnchangedPreference(service: Draft, old: Draft | undefined): boolean {
  return (
    old !== undefined &&
    old.type === service.type &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(service.type) &&
    service.ipFamilyPolicy === 'PreferDualStack' &&
    ['', 'PreferDualStack'].includes(old.ipFamilyPolicy) &&
    sameList(old.clusterIPs, service.clusterIPs) &&
    sameList(old.ipFamilies, service.ipFamilies)
  );
}

/** Headless and without a selector: its endpoints may be of any family. */
const isBare = ({ clusterIP, hasSelector }: Draft): boolean => clusterIP === none && !hasSelector;

const isDualStackCluster = ({ clusterIPs }: Cluster): boolean => Object.values(clusterIPs).filter(Boolean).length > 1;

/** SingleStack on an update releases the second of what did not change otherwise; without it nothing may get fewer. */
function reduce(service: Draft, old: Draft, causes: Causes): void {
  if (service.ipFamilyPolicy === 'SingleStack') {
    if (sameList(old.clusterIPs, service.clusterIPs)) service.clusterIPs.length = Math.min(1, service.clusterIPs.length);
    if (sameList(old.ipFamilies, service.ipFamilies)) service.ipFamilies.length = Math.min(1, service.ipFamilies.length);
    return;
  }
  const fewer = (list: readonly string[], before: readonly string[]): boolean => list.length > 0 && list.length < before.length;
  const complain = (detail: string): void => causes.invalid('spec.ipFamilyPolicy', service.ipFamilyPolicy, detail);
  if (fewer(service.clusterIPs, old.clusterIPs)) complain("must be 'SingleStack' to release the secondary cluster IP");
  if (fewer(service.ipFamilies, old.ipFamilies)) complain("must be 'SingleStack' to release the secondary IP family");
}

function checkPolicy({ ipFamilyPolicy, clusterIPs, ipFamilies }: Draft, causes: Causes): void {
  if (ipFamilyPolicy !== 'SingleStack') return;
  const complain = (what: string): void =>
    causes.invalid(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  if (clusterIPs.length === 2) complain('cluster IPs');
  if (ipFamilies.length === 2) complain('IP families');
}

/** Addresses that are asked for tell their families. */
function inferFamilies(service: Draft, { clusterIPs }: Cluster, causes: Causes): void {
  for (const [i, ip] of service.clusterIPs.entries()) {
    if (ip === none) return;
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

function checkCluster({ ipFamilyPolicy, ipFamilies }: Draft, cluster: Cluster, causes: Causes): void {
  if (ipFamilyPolicy === 'RequireDualStack' && !isDualStackCluster(cluster)) {
    causes.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  for (const [i, family] of ipFamilies.entries()) {
    if (!isFamily(family) || !cluster.clusterIPs[family]) {
      causes.invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster');
    }
  }
}
