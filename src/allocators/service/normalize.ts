import { type IPFamily, isIPv6 } from '../../apimachinery/index.ts';
import { type Draft, needsClusterIP, none, otherFamily, sameList } from './draft.ts';

/**
 * Brings clusterIPs in line with clusterIP, for clients that know only the one. Mirrors normalizeClusterIPs
 * (pkg/registry/core/service/storage/storage.go, 1.36).
 */
export function normalizeClusterIPs(service: Draft, old?: Draft): void {
  if (!old) {
    if (service.clusterIP !== '' && service.clusterIPs.length === 0) service.clusterIPs = [service.clusterIP];
    return;
  }
  const same = (): boolean => sameList(service.clusterIPs, old.clusterIPs);
  if (service.clusterIP === old.clusterIP) {
    if (service.clusterIPs.length === 0) service.clusterIPs = [...old.clusterIPs];
  } else if (same()) {
    service.clusterIPs = service.clusterIP === '' ? [] : [service.clusterIP];
  }
}

/**
 * Fills in what a Service stored by an older release lacks. Mirrors defaultOnReadService (storage.go, 1.36).
 */
export function defaultDraftOnRead(service: Draft, defaultFamily: IPFamily): void {
  normalizeClusterIPs(service);
  if (!needsClusterIP(service)) service.internalTrafficPolicy = '';
  else if (service.ipFamilies.length === 0) defaultFamilies(service, defaultFamily);
}

/** What is headless and without a selector is of both families, whatever the cluster has; other headless Services are of the first. */
function defaultFamilies(service: Draft, defaultFamily: IPFamily): void {
  if (service.clusterIP !== none) {
    service.ipFamilies = service.clusterIPs.map((ip) => (isIPv6(ip) ? 'IPv6' : 'IPv4'));
    const policies = ['', 'SingleStack', 'RequireDualStack'];
    service.ipFamilyPolicy = policies[service.ipFamilies.length] || service.ipFamilyPolicy;
  } else if (service.hasSelector) {
    service.ipFamilyPolicy = 'SingleStack';
    service.ipFamilies = [defaultFamily];
  } else {
    service.ipFamilyPolicy = 'RequireDualStack';
    service.ipFamilies = [defaultFamily, otherFamily(defaultFamily)];
  }
}
