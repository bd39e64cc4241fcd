import { canonicalIP, isIPv6, rankOfIPv4 } from '../apimachinery/ip.ts';
import type { EndpointAddress, Pod, Service, TargetRef } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { normalizeTarget } from './equal.ts';
import type { TargetRefBuilder } from './settings.ts';

export type IPFamily = 'IPv4' | 'IPv6';

/**
 * Returns the IP family of a Service's addresses and the field that sets the family; undefined if each pod's podIP decides.
 *
 * Mirrors podToEndpointAddressForService (1.36, pkg/controller/endpoint/endpoints_controller.go), and before 1.20 IsIPv6Service (1.19,
 * pkg/controller/util/endpoint/controller_utils.go).
 */
export function familyOf(
  { spec }: Service,
  { ipFamiliesRead, ipFamilyRead }: Pick<Profile, 'ipFamiliesRead' | 'ipFamilyRead'> = { ipFamiliesRead: true, ipFamilyRead: false },
): { readonly family: IPFamily; readonly path: string } | undefined {
  const primary = ipFamiliesRead ? spec?.ipFamilies?.[0] : undefined;
  if (primary !== undefined) return { family: primary === 'IPv6' ? 'IPv6' : 'IPv4', path: 'spec.ipFamilies[0]' };
  const clusterIP = spec?.clusterIP;
  if (clusterIP && clusterIP !== 'None') return { family: isIPv6(clusterIP) ? 'IPv6' : 'IPv4', path: 'spec.clusterIP' };
  if (ipFamiliesRead) return undefined;
  return ipFamilyRead
    ? { family: spec?.ipFamily === 'IPv6' ? 'IPv6' : 'IPv4', path: 'spec.ipFamily' }
    : { family: 'IPv4', path: 'spec.clusterIP' };
}

/** An IP with its `rankOfIPv4`, the sort key of addresses. One object is reused for all pods to avoid allocations. */
export interface RankedIP {
  ip: string;
  rank: number;
}

/**
 * Finds the IP of a pod for an IP family, as the release prints it; in releases before `addressOfServiceFamily`, podIP of any family.
 * Returns false if the pod has no such IP.
 * An invalid IP counts as IPv4; releases that parse it print it as "<nil>", which the API server then rejects.
 *
 * @param result receives the IP
 *
 * Mirrors podToEndpointAddressForService (1.36, pkg/controller/endpoint/endpoints_controller.go).
 */
export function findIP(pod: Pod, family: IPFamily | undefined, profile: Profile, result: RankedIP): boolean {
  const podIP = pod.status?.podIP;
  if (!profile.addressOfServiceFamily) return setIP(result, podIP ?? '');
  const wantIPv6 = family ? family === 'IPv6' : isIPv6(podIP ?? '');
  const podIPs = pod.status?.podIPs ?? [];
  for (let i = 0; i < podIPs.length; i++) {
    const text = podIPs[i]?.ip ?? '';
    const rank = rankOfIPv4(text);
    if (rank >= 0 && !wantIPv6) {
      result.ip = text;
      result.rank = rank;
      return true;
    }
    if (isIPv6(text) !== wantIPv6) continue;
    // The first IP of the family ends the search, even if it is empty: then the pod has no IP.
    return setIP(result, profile.addressCanonicalized ? (canonicalIP(text) ?? unparsedIP) : text);
  }
  return false;
}

function setIP(result: RankedIP, ip: string): boolean {
  result.ip = ip;
  result.rank = rankOfIPv4(ip);
  return ip !== '';
}

/** How Go prints an IP that it could not parse. */
export const unparsedIP = '<nil>';

/** Creates the EndpointAddress of a pod with this IP. */
export function createAddress(pod: Pod, ip: string, service: Service, targetRefOf: TargetRefBuilder): EndpointAddress {
  const nodeName = pod.spec?.nodeName ?? '';
  const targetRef = targetRefOf(pod);
  return shouldSetHostname(pod, service)
    ? { ip, hostname: pod.spec?.hostname as string, nodeName, targetRef }
    : { ip, nodeName, targetRef };
}

/**
 * Whether the address gets the pod's host name. The host name must be set, and the pod's subdomain must be the name of this Service in the
 * same namespace.
 * Mirrors ShouldSetHostname (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export const shouldSetHostname = (pod: Pod, service: Service): boolean =>
  !!pod.spec?.hostname &&
  (pod.spec.subdomain ?? '') === (service.metadata?.name ?? '') &&
  (service.metadata?.namespace ?? '') === (pod.metadata?.namespace ?? '');

/** Creates a function that builds the targetRef of a pod as the release does. */
export const createPodTargetRefBuilder =
  (profile: Profile): TargetRefBuilder =>
  (pod) =>
    targetRefOf(pod, profile);

/** Wraps the caller's function, for endpoints that are not pods: its targetRefs are copied and normalized. */
export const createCustomTargetRefBuilder =
  (targetRef: TargetRefBuilder): TargetRefBuilder =>
  (pod) =>
    normalizeTarget(targetRef(pod));

function targetRefOf({ metadata }: Pod, profile: Profile): TargetRef {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  const withVersion = !profile.targetResourceVersionOmitted && !!resourceVersion;
  if (namespace && name && uid && !withVersion) return { kind: 'Pod', namespace, name, uid };
  return {
    kind: 'Pod',
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(withVersion && { resourceVersion }),
  };
}
