import { findPort, type Inquiry, isPodReady, type Offer, readyCondition, takesHostname, unprintable } from '../spec/index.ts';
import type { Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { portReasons, publishingField } from './exclusions.ts';
import type { Reason } from './explanation.ts';
import { quoted, reason } from './reason.ts';

const readyPath = 'pod.status.conditions[Ready].status';

/** Why a pod stands among the addresses that are not ready. */
export function notReadyReason(pod: Pod, profile: Profile): Reason {
  const condition = readyCondition(pod);
  if (!condition) return reason('PodNotReady', 'pod.status.conditions', profile, { why: 'it has no Ready condition' });
  if (condition.status === 'True')
    return reason('PodNotReady', readyPath, profile, { why: 'another pod with its IP and UID is not ready' });
  const details = [condition.reason, condition.message].filter(Boolean).join(', ');
  return reason('PodNotReady', readyPath, profile, {
    why: `its Ready condition is ${quoted(condition.status)}${details ? ` (${details})` : ''}`,
  });
}

/** Why a pod that is not ready, or is terminating, counts as ready all the same; undefined where it needs no such favour. */
export function publishedReason(inquiry: Inquiry, pod: Pod): Reason | undefined {
  if (!inquiry.publish || (isPodReady(pod) && !pod.metadata?.deletionTimestamp)) return undefined;
  const { path, ...values } = publishingField(inquiry);
  return reason('PodPublishedNotReady', path, inquiry.profile, values);
}

/** What else is worth knowing of a pod that is in: ports it lacks, an IP that is none, a host name that is left out. */
export function offerReasons(inquiry: Inquiry, pod: Pod, offer: Offer): Reason[] {
  const { service, profile, servicePorts } = inquiry;
  const found = portReasons(inquiry, pod);
  for (const [index, port] of servicePorts.entries()) {
    if (findPort(pod, port, profile.sidecarPortsFound) !== 0) continue;
    found.push(reason('PortHasNoNumber', `service.spec.ports[${index}].targetPort`, profile, { port: port.name || String(port.port) }));
  }
  if (offer.address.ip === unprintable) found.push(invalidIPReason(pod, profile));
  return [...found, ...hostnameReasons(service, pod, profile)];
}

export function invalidIPReason(pod: Pod, profile: Profile): Reason {
  const text = pod.status?.podIPs?.map(({ ip }) => ip).join(', ');
  return reason('PodIPInvalid', 'pod.status.podIPs', profile, { ip: quoted(text) });
}

/** Why the pod's host name is not published where one could expect it to be. */
export function hostnameReasons(service: Service, pod: Pod, profile: Profile): Reason[] {
  const hostname = pod.spec?.hostname;
  if (!hostname || service.spec?.clusterIP !== 'None' || takesHostname(pod, service)) return [];
  const values = { hostname: quoted(hostname), subdomain: quoted(pod.spec?.subdomain), service: quoted(service.metadata?.name) };
  return [reason('HostnameLeftOut', 'pod.spec.subdomain', profile, values)];
}
