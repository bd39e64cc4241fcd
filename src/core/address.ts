import type { EndpointAddress, Pod, Service, TargetRef } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { canonicalIP, isIPv6 } from './ip.ts';

export type IPFamily = 'IPv4' | 'IPv6';

/** The IP family a Service wants its addresses in, and the field that says so; undefined where each pod's podIP decides. */
export function familyOf(service: Service): { readonly family: IPFamily; readonly path: string } | undefined {
  const primary = service.spec?.ipFamilies?.[0];
  if (primary !== undefined) return { family: primary === 'IPv6' ? 'IPv6' : 'IPv4', path: 'spec.ipFamilies[0]' };
  const clusterIP = service.spec?.clusterIP;
  if (!clusterIP || clusterIP === 'None') return undefined;
  return { family: isIPv6(clusterIP) ? 'IPv6' : 'IPv4', path: 'spec.clusterIP' };
}

/**
 * The IP a pod takes part with, printed as the release prints it; undefined where it has none of the family.
 * An IP that is none counts as IPv4; the releases that parse it print it "<nil>", which the API server then refuses.
 *
 * Mirrors podToEndpointAddressForService (1.36, pkg/controller/endpoint/endpoints_controller.go).
 */
export function ipOf(pod: Pod, family: IPFamily | undefined, profile: Profile): string | undefined {
  const podIP = pod.status?.podIP || undefined;
  if (!profile.addressOfServiceFamily) return podIP;
  const wantIPv6 = family ? family === 'IPv6' : isIPv6(podIP ?? '');
  for (const { ip } of pod.status?.podIPs ?? []) {
    const text = ip ?? '';
    const canonical = canonicalIP(text);
    if ((canonical?.includes(':') ?? false) !== wantIPv6) continue;
    const printed = profile.addressReprinted ? (canonical ?? unprintable) : text;
    // an empty text is not taken for an address, but ends the search
    return printed || undefined;
  }
  return undefined;
}

/** How Go prints an IP that did not parse. */
export const unprintable = '<nil>';

/** The whole address of a pod under that IP. */
export function addressOf(pod: Pod, ip: string, service: Service, profile: Profile): EndpointAddress {
  const address: EndpointAddress = { ip };
  if (takesHostname(pod, service)) address.hostname = pod.spec?.hostname as string;
  address.nodeName = pod.spec?.nodeName ?? '';
  address.targetRef = targetRefOf(pod, profile);
  return address;
}

/**
 * Whether the address carries the pod's host name: one is set, and the subdomain names this Service in the pod's namespace.
 * Mirrors ShouldSetHostname (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export const takesHostname = (pod: Pod, service: Service): boolean =>
  !!pod.spec?.hostname &&
  (pod.spec.subdomain ?? '') === (service.metadata?.name ?? '') &&
  (service.metadata?.namespace ?? '') === (pod.metadata?.namespace ?? '');

function targetRefOf({ metadata }: Pod, profile: Profile): TargetRef {
  const ref: TargetRef = { kind: 'Pod' };
  if (metadata?.namespace) ref.namespace = metadata.namespace;
  if (metadata?.name) ref.name = metadata.name;
  if (metadata?.uid) ref.uid = metadata.uid;
  if (!profile.targetResourceVersionOmitted && metadata?.resourceVersion) ref.resourceVersion = metadata.resourceVersion;
  return ref;
}
