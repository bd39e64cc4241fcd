import { compareText } from '../apimachinery/index.ts';
import { isPodReady, type Offer, type PodEvaluator, type UnmanagedCode, type VersionOptions } from '../spec/index.ts';
import type { Pod, Service } from '../types/index.ts';
import { profileFor } from '../versions/index.ts';
import type { Readiness } from './cause-reasons.ts';
import type { PodExplanation, Reason } from './explanation.ts';
import { type Placements, placePods } from './placements.ts';
import { createExclusionReasons, createNotReadyReason, createOfferReasons, createPublishedNotReadyReason } from './pod-reasons.ts';
import { createReason } from './reason.ts';

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
  explainPlacements(placePods(service, pods, profileFor(options.version, options.featureGates)), options.readiness);

/** `explainEndpoints` for pods that are already evaluated and placed. */
export const explainPlacements = (placements: Placements, readiness: Readiness = () => []): PodExplanation[] =>
  explainAll(placements, placements.evaluatedPods, readiness);

/** `explainPlacements` for the pods that the Service selects. */
export const explainSelectedPods = (placements: Placements, readiness: Readiness = () => []): PodExplanation[] =>
  placements.evaluator.service.spec?.selector
    ? explainAll(
        placements,
        placements.evaluatedPods.filter(({ pod }) => placements.evaluator.isSelected(pod)),
        readiness,
      )
    : [];

const explainAll = (placements: Placements, pods: Placements['evaluatedPods'], readiness: Readiness): PodExplanation[] =>
  pods
    .map(({ pod, offer }) => explainPod(placements, pod, offer, readiness))
    .sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));

function explainPod(placements: Placements, pod: Pod, offer: Offer | undefined, readiness: Readiness): PodExplanation {
  const { evaluator, placementOf } = placements;
  const placement = offer && placementOf(offer);
  const common = {
    namespace: pod.metadata?.namespace ?? '',
    name: pod.metadata?.name ?? '',
    selected: !!evaluator.service.spec?.selector && evaluator.isSelected(pod),
  };
  if (!offer || !placement)
    return { ...common, included: false, ready: false, ports: [], reasons: createReasonsForExcludedPod(placements, pod, offer) };
  const causes = placement.ready || isPodReady(pod) ? [] : readiness(pod);
  const readinessCauses = causes.map(({ code, path, values }) => createReason(code, path, evaluator.profile, values));
  const reasons = [
    createReadinessReason(evaluator, pod, placement.ready),
    ...readinessCauses,
    ...createOfferReasons(evaluator, pod, offer),
  ];
  return { ...common, included: true, ready: placement.ready, ip: offer.address.ip, ports: placement.ports, reasons };
}

function createReasonsForExcludedPod({ evaluator, unmanagedCode }: Placements, pod: Pod, offer: Offer | undefined): Reason[] {
  if (!unmanagedCode) return createExclusionReasons(evaluator, pod, offer !== undefined);
  return [createReason(unmanagedCode, unmanagedPaths[unmanagedCode], evaluator.profile, { found: '' })];
}

/** The field that makes a Service unmanaged. */
export const unmanagedPaths: Readonly<Record<UnmanagedCode, string>> = {
  ServiceHasNoSelector: 'service.spec.selector',
  ServiceIsExternalName: 'service.spec.type',
};

function createReadinessReason(evaluator: PodEvaluator, pod: Pod, ready: boolean): Reason {
  if (!ready) return createNotReadyReason(pod, evaluator.profile);
  return (
    createPublishedNotReadyReason(evaluator, pod) ?? createReason('PodReady', 'pod.status.conditions[Ready].status', evaluator.profile)
  );
}
