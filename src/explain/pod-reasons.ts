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
import { describeDeclaredPorts } from './declared-ports.ts';
import type { Reason } from './explanation.ts';
import { createReason, formatSegment, quoteOrNone } from './reason.ts';
import type { PodReasonCode } from './reasons.ts';
import type { SliceReasonCode } from './slice-reasons.ts';

/** Creates a reason for every rule that excludes a pod, in the release's order. */
export function createExclusionReasons(evaluator: PodEvaluator, pod: Pod, isOffered: boolean): Reason[] {
  if (isOffered) return [createReason('CutByCapacity', 'endpoints.subsets', evaluator.profile, { capacity: maxCapacity })];
  const mismatches = createMismatchReasons(evaluator, pod);
  if (mismatches.length > 0) return mismatches;
  const ineligibleReasons = evaluator.rules
    .filter((rule) => rule.applies(pod, evaluator.publishNotReady))
    .map((rule) => createIneligibleReason(evaluator.profile, pod, rule.code));
  const hasIP = !ineligibleReasons.some(({ code }) => code === 'PodHasNoIP');
  return [...ineligibleReasons, ...(hasIP ? createFamilyReasons(evaluator, pod) : []), ...createPortReasons(evaluator, pod)];
}

/** Explains why a Service does not select a pod: one reason for the namespace, one per label. */
export function createMismatchReasons({ service, profile, isSelected }: PodEvaluator, pod: Pod): Reason[] {
  if (isSelected(pod)) return [];
  const namespace = service.metadata?.namespace ?? '';
  const podNamespace = pod.metadata?.namespace ?? '';
  const reasons: Reason[] = [];
  if (namespace !== podNamespace)
    reasons.push(
      createReason('PodInOtherNamespace', 'pod.metadata.namespace', profile, {
        actual: quoteOrNone(podNamespace),
        wanted: quoteOrNone(namespace),
      }),
    );
  const labels = pod.metadata?.labels;
  for (const [key, value] of Object.entries(service.spec?.selector ?? {})) {
    const podValue = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (podValue === value) continue;
    const values = { wanted: `${key}=${value}`, actual: podValue === undefined ? `no label ${key}` : `${key}=${podValue}` };
    reasons.push(createReason('PodLabelsDoNotMatch', `pod.metadata.labels${formatSegment(key)}`, profile, values));
  }
  return reasons;
}

/** The reason for an eligibility code, with its field and values. */
export function createIneligibleReason(profile: Profile, pod: Pod, code: PodReasonCode | Extract<SliceReasonCode, 'PodEnded'>): Reason {
  const phase = pod.status?.phase ?? 'unknown';
  if (code === 'PodHasNoIP') return createNoIPReason(profile, pod);
  if (code === 'PodTerminating')
    return createReason(code, 'pod.metadata.deletionTimestamp', profile, { time: formatTime(pod.metadata?.deletionTimestamp) });
  const values = { phase: `${phase}${formatDetails(pod.status ?? {})}`, policy: pod.spec?.restartPolicy ?? 'Always' };
  return createReason(code, 'pod.status.phase', profile, values);
}

/** A pod has no IP before a node runs it: the scheduler, or a container that waits, may show why. */
function createNoIPReason(profile: Profile, { spec, status }: Pod): Reason {
  const create = (path: string, why: string): Reason => createReason('PodHasNoIP', path, profile, { why });
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (condition?.status === 'False')
    return create('pod.status.conditions[PodScheduled]', `, because it is not scheduled${formatDetails(condition)}`);
  if (status?.phase === 'Pending' && !spec?.nodeName && !condition)
    return create('pod.spec.nodeName', ', because no scheduler has processed it yet');
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = statuses.find(({ state }) => state?.waiting?.message)?.state?.waiting;
  return create('pod.status.podIP', waiting ? ` yet${formatDetails(waiting)}` : ' yet');
}

interface Details {
  readonly reason?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/** " (Unschedulable: 0/3 nodes are available)" */
function formatDetails({ reason, message }: Details): string {
  const details = [reason, message].filter(Boolean).join(': ').replace(/\.$/, '');
  return details && ` (${details})`;
}

export const formatTime = (time: Timestamp | null | undefined): string => (time instanceof Date ? time.toISOString() : String(time));

function createFamilyReasons({ service, profile, ipOf }: PodEvaluator, pod: Pod): Reason[] {
  if (ipOf(pod) !== undefined) return [];
  const podIP = pod.status?.podIP ?? '';
  const { family, path } = familyOf(service, profile) ?? {
    family: isIPv6(podIP) ? 'IPv6' : 'IPv4',
    path: `that of podIP ${quoteOrNone(podIP)}`,
  };
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const actual = ips.length > 0 ? `podIPs: ${ips.join(', ')}` : 'podIPs is empty';
  return [createReason('PodHasNoIPOfFamily', 'pod.status.podIPs', profile, { family, source: path, actual })];
}

/** One reason per Service port that the pod does not have. */
export function createPortReasons(evaluator: PodEvaluator, pod: Pod): Reason[] {
  const { servicePorts, profile, service } = evaluator;
  if (servicePorts.length === 0)
    return service.spec?.clusterIP === 'None' ? [] : [createReason('ServiceHasNoPorts', 'service.spec.ports', profile)];
  return createMissingPortReasons(servicePorts, pod, profile.sidecarPortsFound, profile);
}

/** @param inSidecars whether to search sidecars for named ports */
export function createMissingPortReasons(servicePorts: readonly ServicePort[], pod: Pod, inSidecars: boolean, profile: Profile): Reason[] {
  return servicePorts.flatMap((port, index) => {
    if (findPort(pod, port, inSidecars) !== undefined) return [];
    const values = {
      target: quoteOrNone(String(port.targetPort)),
      protocol: quoteOrNone(port.protocol),
      port: port.name || String(port.port),
      declared: describeDeclaredPorts([pod], profile),
    };
    return [createReason('PortNotFound', `service.spec.ports[${index}].targetPort`, profile, values)];
  });
}

/** The field that publishes not-ready pods: the annotation if the release reads it and its value parses, otherwise the spec field. */
export function findPublishingField({ service, profile }: PodEvaluator): {
  readonly path: string;
  readonly field: string;
  readonly value: string;
} {
  const annotation = profile.tolerateUnreadyAnnotationIgnored ? undefined : service.metadata?.annotations?.[tolerateUnreadyAnnotation];
  if (annotation !== undefined && parseBool(annotation) !== undefined) {
    return {
      path: `service.metadata.annotations${formatSegment(tolerateUnreadyAnnotation)}`,
      field: tolerateUnreadyAnnotation,
      value: quoteOrNone(annotation),
    };
  }
  return { path: 'service.spec.publishNotReadyAddresses', field: 'publishNotReadyAddresses', value: 'true' };
}

const readyPath = 'pod.status.conditions[Ready].status';

/** Explains why a pod is among the addresses that are not ready. */
export function createNotReadyReason(pod: Pod, profile: Profile): Reason {
  const condition = readyCondition(pod);
  if (!condition) return createReason('PodNotReady', 'pod.status.conditions', profile, { why: 'it has no Ready condition' });
  if (condition.status === 'True')
    return createReason('PodNotReady', readyPath, profile, { why: 'another pod with its IP and UID is not ready' });
  const details = [condition.reason, condition.message].filter(Boolean).join(', ');
  return createReason('PodNotReady', readyPath, profile, {
    why: `its Ready condition ${condition.status ? `is ${quoteOrNone(condition.status)}` : 'has no status'}${details ? ` (${details})` : ''}`,
  });
}

/** Explains why a pod counts as ready although it is not ready or is terminating; undefined for any other pod. */
export function createPublishedNotReadyReason(evaluator: PodEvaluator, pod: Pod): Reason | undefined {
  if (!evaluator.publishNotReady || (isPodReady(pod) && !pod.metadata?.deletionTimestamp)) return undefined;
  const { path, ...values } = findPublishingField(evaluator);
  return createReason('PodPublishedNotReady', path, evaluator.profile, values);
}

/** Other findings about an included pod: ports that it lacks, an invalid IP, a host name that is not published. */
export function createOfferReasons(evaluator: PodEvaluator, pod: Pod, offer: Offer): Reason[] {
  const { service, profile, servicePorts } = evaluator;
  const reasons = createPortReasons(evaluator, pod);
  for (const [index, port] of servicePorts.entries()) {
    if (findPort(pod, port, profile.sidecarPortsFound) !== 0) continue;
    reasons.push(
      createReason('PortHasNoNumber', `service.spec.ports[${index}].targetPort`, profile, { port: port.name || String(port.port) }),
    );
  }
  if (offer.address.ip === unparsedIP) reasons.push(createInvalidIPReason(pod, profile));
  return [...reasons, ...createHostnameReasons(service, pod, profile)];
}

export function createInvalidIPReason(pod: Pod, profile: Profile): Reason {
  const text = pod.status?.podIPs?.map(({ ip }) => ip).join(', ');
  return createReason('PodIPInvalid', 'pod.status.podIPs', profile, { ip: quoteOrNone(text) });
}

/** Explains why the pod's host name is not published, in cases where users may expect it. */
export function createHostnameReasons(service: Service, pod: Pod, profile: Profile): Reason[] {
  const hostname = pod.spec?.hostname;
  if (!hostname || service.spec?.clusterIP !== 'None' || shouldSetHostname(pod, service)) return [];
  const values = {
    hostname: quoteOrNone(hostname),
    subdomain: quoteOrNone(pod.spec?.subdomain),
    service: quoteOrNone(service.metadata?.name),
  };
  return [createReason('HostnameLeftOut', 'pod.spec.subdomain', profile, values)];
}
