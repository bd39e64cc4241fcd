import { compareText } from '../apimachinery/index.ts';
import { type Inquiry, isPodReady, type Offer, type UnmanagedCode, type VersionOptions } from '../spec/index.ts';
import type { Pod, Service } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';
import type { Readiness } from './cause-reasons.ts';
import type { PodExplanation, Reason } from './explanation.ts';
import { type Placements, placements } from './placements.ts';
import { exclusionReasons, notReadyReason, offerReasons, publishedReason } from './pod-reasons.ts';
import { reason } from './reason.ts';

export interface ExplainEndpointsOptions extends VersionOptions {
  /**
   * Explains why a pod is not ready: `(pod) => explainReadiness(pod, { version }).causes`, of `kube-endpoints/readiness`. If set, its
   * causes follow the reason `PodNotReady`.
   */
  readonly readiness?: Readiness | undefined;
}

/**
 * Explains the result of every pod under a release's rules: one explanation per pod, sorted by namespace and name.
 * @param pods may be every pod of the cluster
 * @throws RangeError for an unknown version
 *
 * Derived from the same verdicts as the Endpoints: `included` and `ready` are true if and only if `computeEndpoints` lists the
 * pod, and lists it among the ready addresses.
 */
export const explainEndpoints = (service: Service, pods: readonly Pod[], options: ExplainEndpointsOptions = {}): PodExplanation[] =>
  explainPlacements(placements(service, pods, profileFor(options.version)), options.readiness);

/** `explainEndpoints` for pods that are already evaluated and placed. */
export const explainPlacements = (placed: Placements, readiness: Readiness = () => []): PodExplanation[] =>
  placed.judged
    .map(({ pod, offer }) => explainPod(placed, pod, offer, readiness))
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));

function explainPod(placed: Placements, pod: Pod, offer: Offer | undefined, readiness: Readiness): PodExplanation {
  const { inquiry, placeOf } = placed;
  const place = offer && placeOf(offer);
  const known = {
    namespace: pod.metadata?.namespace ?? '',
    name: pod.metadata?.name ?? '',
    selected: !!inquiry.service.spec?.selector && inquiry.isSelected(pod),
  };
  if (!offer || !place) return { ...known, included: false, ready: false, ports: [], reasons: reasonsForOut(placed, pod, offer) };
  const causes = place.ready || isPodReady(pod) ? [] : readiness(pod);
  const down = causes.map(({ code, path, values }) => reason(code, path, inquiry.profile, values));
  const reasons = [readinessReason(inquiry, pod, place.ready), ...down, ...offerReasons(inquiry, pod, offer)];
  return { ...known, included: true, ready: place.ready, ip: offer.address.ip, ports: place.ports, reasons };
}

function reasonsForOut({ inquiry, unmanaged }: Placements, pod: Pod, offer: Offer | undefined): Reason[] {
  if (!unmanaged) return exclusionReasons(inquiry, pod, offer !== undefined);
  return [reason(unmanaged, unmanagedPaths[unmanaged], inquiry.profile, { found: '' })];
}

/** The field that makes a Service unmanaged. */
export const unmanagedPaths: Readonly<Record<UnmanagedCode, string>> = {
  ServiceHasNoSelector: 'service.spec.selector',
  ServiceIsExternalName: 'service.spec.type',
};

function readinessReason(inquiry: Inquiry, pod: Pod, ready: boolean): Reason {
  if (!ready) return notReadyReason(pod, inquiry.profile);
  return publishedReason(inquiry, pod) ?? reason('PodReady', 'pod.status.conditions[Ready].status', inquiry.profile);
}
