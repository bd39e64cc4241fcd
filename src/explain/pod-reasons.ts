import { isIPv6 } from '../apimachinery/index.ts';
import {
  familyOf,
  findPort,
  isPodReady,
  maxCapacity,
  type Offer,
  type PodEvaluator,
  parseBool,
  readyCondition,
  shouldSetHostname,
  tolerateUnreadyAnnotation,
  unparsedIP,
} from '../spec/index.ts';
import type { Pod, Service, ServicePort, Timestamp } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { Reason } from './explanation.ts';
import { quoteOrNone, reason, segment } from './reason.ts';
import type { PodReasonCode } from './reasons.ts';
import type { SliceReasonCode } from './slice-reasons.ts';

/** Every rule that excludes a pod, in the release's order. */
export function exclusionReasons(evaluator: PodEvaluator, pod: Pod, isOffered: boolean): Reason[] {
  if (isOffered) return [reason('CutByCapacity', 'endpoints.subsets', evaluator.profile, { capacity: maxCapacity })];
  const mismatches = selectionReasons(evaluator, pod);
  if (mismatches.length > 0) return mismatches;
  const ineligible = evaluator.rules
    .filter((rule) => rule.applies(pod, evaluator.publishNotReady))
    .map((rule) => ineligibleReason(evaluator.profile, pod, rule.code));
  const hasIP = !ineligible.some(({ code }) => code === 'PodHasNoIP');
  return [...ineligible, ...(hasIP ? familyReasons(evaluator, pod) : []), ...portReasons(evaluator, pod)];
}

/** Why the selector does not match a pod: one reason for the namespace, one per label. */
export function selectionReasons({ service, profile, isSelected }: PodEvaluator, pod: Pod): Reason[] {
  if (isSelected(pod)) return [];
  const namespace = service.metadata?.namespace ?? '';
  const podNamespace = pod.metadata?.namespace ?? '';
  const reasons: Reason[] = [];
  if (namespace !== podNamespace)
    reasons.push(
      reason('PodInOtherNamespace', 'pod.metadata.namespace', profile, {
        actual: quoteOrNone(podNamespace),
        wanted: quoteOrNone(namespace),
      }),
    );
  const labels = pod.metadata?.labels;
  for (const [key, value] of Object.entries(service.spec?.selector ?? {})) {
    const podValue = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (podValue === value) continue;
    const values = { wanted: `${key}=${value}`, actual: podValue === undefined ? `no label ${key}` : `${key}=${podValue}` };
    reasons.push(reason('PodLabelsDoNotMatch', `pod.metadata.labels${segment(key)}`, profile, values));
  }
  return reasons;
}

/** The reason for an eligibility code, with its field and values. */
export function ineligibleReason(profile: Profile, pod: Pod, code: PodReasonCode | Extract<SliceReasonCode, 'PodEnded'>): Reason {
  const phase = pod.status?.phase ?? 'unknown';
  if (code === 'PodHasNoIP') return reason(code, 'pod.status.podIP', profile);
  if (code === 'PodTerminating')
    return reason(code, 'pod.metadata.deletionTimestamp', profile, { time: formatTime(pod.metadata?.deletionTimestamp) });
  return reason(code, 'pod.status.phase', profile, { phase, policy: pod.spec?.restartPolicy ?? 'Always' });
}

export const formatTime = (time: Timestamp | null | undefined): string => (time instanceof Date ? time.toISOString() : String(time));

function familyReasons({ service, profile, ipOf }: PodEvaluator, pod: Pod): Reason[] {
  if (ipOf(pod) !== undefined) return [];
  const podIP = pod.status?.podIP ?? '';
  const { family, path } = familyOf(service) ?? { family: isIPv6(podIP) ? 'IPv6' : 'IPv4', path: `that of podIP ${quoteOrNone(podIP)}` };
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const actual = ips.length > 0 ? `podIPs: ${ips.join(', ')}` : 'podIPs is empty';
  return [reason('PodHasNoIPOfFamily', 'pod.status.podIPs', profile, { family, source: path, actual })];
}

/** One reason per Service port that the pod does not have. */
export function portReasons(evaluator: PodEvaluator, pod: Pod): Reason[] {
  const { servicePorts, profile, service } = evaluator;
  if (servicePorts.length === 0)
    return service.spec?.clusterIP === 'None' ? [] : [reason('ServiceHasNoPorts', 'service.spec.ports', profile)];
  return missingPortReasons(servicePorts, pod, profile.sidecarPortsFound, profile);
}

/** @param inSidecars whether to search sidecars for named ports */
export function missingPortReasons(servicePorts: readonly ServicePort[], pod: Pod, inSidecars: boolean, profile: Profile): Reason[] {
  return servicePorts.flatMap((port, index) => {
    if (findPort(pod, port, inSidecars) !== undefined) return [];
    const values = {
      target: quoteOrNone(String(port.targetPort)),
      protocol: quoteOrNone(port.protocol),
      port: port.name || String(port.port),
    };
    return [reason('PortNotFound', `service.spec.ports[${index}].targetPort`, profile, values)];
  });
}

/** The field that publishes not-ready pods: the annotation if the release reads it and its value parses, otherwise the spec field. */
export function publishingField({ service, profile }: PodEvaluator): {
  readonly path: string;
  readonly field: string;
  readonly value: string;
} {
  const annotation = profile.tolerateUnreadyAnnotationIgnored ? undefined : service.metadata?.annotations?.[tolerateUnreadyAnnotation];
  if (annotation !== undefined && parseBool(annotation) !== undefined) {
    return {
      path: `service.metadata.annotations${segment(tolerateUnreadyAnnotation)}`,
      field: tolerateUnreadyAnnotation,
      value: quoteOrNone(annotation),
    };
  }
  return { path: 'service.spec.publishNotReadyAddresses', field: 'publishNotReadyAddresses', value: 'true' };
}

const readyPath = 'pod.status.conditions[Ready].status';

/** Why a pod is among the addresses that are not ready. */
export function notReadyReason(pod: Pod, profile: Profile): Reason {
  const condition = readyCondition(pod);
  if (!condition) return reason('PodNotReady', 'pod.status.conditions', profile, { why: 'it has no Ready condition' });
  if (condition.status === 'True')
    return reason('PodNotReady', readyPath, profile, { why: 'another pod with its IP and UID is not ready' });
  const details = [condition.reason, condition.message].filter(Boolean).join(', ');
  return reason('PodNotReady', readyPath, profile, {
    why: `its Ready condition ${condition.status ? `is ${quoteOrNone(condition.status)}` : 'has no status'}${details ? ` (${details})` : ''}`,
  });
}

/** Why a pod counts as ready although it is not ready or is terminating; undefined if it does not. */
export function publishedNotReadyReason(evaluator: PodEvaluator, pod: Pod): Reason | undefined {
  if (!evaluator.publishNotReady || (isPodReady(pod) && !pod.metadata?.deletionTimestamp)) return undefined;
  const { path, ...values } = publishingField(evaluator);
  return reason('PodPublishedNotReady', path, evaluator.profile, values);
}

/** Other findings about an included pod: ports that it lacks, an invalid IP, a host name that is not published. */
export function offerReasons(evaluator: PodEvaluator, pod: Pod, offer: Offer): Reason[] {
  const { service, profile, servicePorts } = evaluator;
  const reasons = portReasons(evaluator, pod);
  for (const [index, port] of servicePorts.entries()) {
    if (findPort(pod, port, profile.sidecarPortsFound) !== 0) continue;
    reasons.push(reason('PortHasNoNumber', `service.spec.ports[${index}].targetPort`, profile, { port: port.name || String(port.port) }));
  }
  if (offer.address.ip === unparsedIP) reasons.push(invalidIPReason(pod, profile));
  return [...reasons, ...hostnameReasons(service, pod, profile)];
}

export function invalidIPReason(pod: Pod, profile: Profile): Reason {
  const text = pod.status?.podIPs?.map(({ ip }) => ip).join(', ');
  return reason('PodIPInvalid', 'pod.status.podIPs', profile, { ip: quoteOrNone(text) });
}

/** Why the pod's host name is not published, in cases where users may expect it. */
export function hostnameReasons(service: Service, pod: Pod, profile: Profile): Reason[] {
  const hostname = pod.spec?.hostname;
  if (!hostname || service.spec?.clusterIP !== 'None' || shouldSetHostname(pod, service)) return [];
  const values = {
    hostname: quoteOrNone(hostname),
    subdomain: quoteOrNone(pod.spec?.subdomain),
    service: quoteOrNone(service.metadata?.name),
  };
  return [reason('HostnameLeftOut', 'pod.spec.subdomain', profile, values)];
}
