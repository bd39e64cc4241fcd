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
   * What keeps a pod from being ready: `(pod) => explainReadiness(pod, { version }).causes`, of `kube-endpoints/readiness`. Where it is given,
   * its causes follow the reason `PodNotReady`.
   */
  readonly readiness?: Readiness | undefined;
}

/**
 * What becomes of every pod under a release's rules, and why: one explanation a pod, sorted by namespace and name.
 * @param pods may be every pod there is
 * @throws RangeError for an unknown version
 *
 * A projection of the same verdicts that make the Endpoints: `included` and `ready` are true exactly where
 * `computeEndpoints` has the pod, and has it among the ready addresses.
 */
export const explainEndpoints = (service: Service, pods: readonly Pod[], options: ExplainEndpointsOptions = {}): PodExplanation[] =>
  explainPlacements(placements(service, pods, profileFor(options.version)), options.readiness);

/** `explainEndpoints` over pods that are judged and placed already. */
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
