import { isPodReady, readyCondition, type StringMap } from 'kube-endpoints/internal';
import type { Container, Optional, Pod } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';

/**
 * How an update of a pod affects the Services that select it before and after:
 * - `nothing`: no field that they use has changed;
 * - `noted`: not worth a sync, but the next sync must use it;
 * - `changed`: a sync is required.
 */
export type PodChange = 'nothing' | 'noted' | 'changed';

/**
 * Classifies an update of a pod. Ignores labels, which decide which Services select it.
 *
 * Mirrors podEndpointsChanged (Kubernetes 1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go), and goes further: `changed`
 * covers every update that changes endpoints. Kubernetes' controllers miss that a pod fails while its readiness stays the same, that it is
 * assigned to a node, or that it replaced a pod of the same name whose deletion was missed.
 */
export function classifyPodUpdate(old: Pod, pod: Pod, profile: Profile): PodChange {
  if (old === pod || (old.metadata?.resourceVersion && old.metadata.resourceVersion === pod.metadata?.resourceVersion)) return 'nothing';
  if (comparisons.some((differs) => differs(old, pod))) return 'changed';
  const readyTimeChanged = timeText(readyCondition(old)?.lastTransitionTime) !== timeText(readyCondition(pod)?.lastTransitionTime);
  return readyTimeChanged || !profile.targetResourceVersionOmitted ? 'noted' : 'nothing';
}

/** Whether the labels differ, and so possibly the Services that select the pod. */
export function labelsDiffer(old: Pod, pod: Pod): boolean {
  return !sameMap(old.metadata?.labels, pod.metadata?.labels);
}

/** The fields that endpoints depend on. The first difference decides, so the fields that change most often come first. */
const comparisons: readonly ((old: Pod, pod: Pod) => boolean)[] = [
  (old, pod) => isPodReady(old) !== isPodReady(pod),
  (old, pod) => !old.metadata?.deletionTimestamp !== !pod.metadata?.deletionTimestamp,
  (old, pod) => finalPhaseOf(old) !== finalPhaseOf(pod),
  (old, pod) => (old.status?.podIP ?? '') !== (pod.status?.podIP ?? ''),
  (old, pod) => !sameList(old.status?.podIPs, pod.status?.podIPs, (a, b) => (a.ip ?? '') === (b.ip ?? '')),
  (old, pod) => (old.metadata?.uid ?? '') !== (pod.metadata?.uid ?? ''),
  (old, pod) => old.spec !== pod.spec && specDiffers(old.spec, pod.spec),
];

/** The phase of a pod that has ended; empty for other pods. */
const finalPhaseOf = ({ status }: Pod): string => (status?.phase === 'Failed' || status?.phase === 'Succeeded' ? status.phase : '');

function specDiffers(old: Pod['spec'], spec: Pod['spec']): boolean {
  return (
    (old?.nodeName ?? '') !== (spec?.nodeName ?? '') ||
    (old?.hostname ?? '') !== (spec?.hostname ?? '') ||
    (old?.subdomain ?? '') !== (spec?.subdomain ?? '') ||
    (old?.restartPolicy ?? '') !== (spec?.restartPolicy ?? '') ||
    !sameList(old?.containers, spec?.containers, sameContainer) ||
    !sameList(old?.initContainers, spec?.initContainers, sameContainer)
  );
}

const sameContainer = (a: Container, b: Container): boolean =>
  (a.restartPolicy ?? '') === (b.restartPolicy ?? '') &&
  sameList(
    a.ports,
    b.ports,
    (p, q) => p.containerPort === q.containerPort && (p.name ?? '') === (q.name ?? '') && (p.protocol ?? '') === (q.protocol ?? ''),
  );

function sameList<T>(a: Optional<readonly T[]>, b: Optional<readonly T[]>, same: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  if ((a?.length ?? 0) !== (b?.length ?? 0)) return false;
  return !a || a.every((entry, i) => same(entry, b?.[i] as T));
}

function sameMap(a: Optional<StringMap>, b: Optional<StringMap>): boolean {
  if (a === b) return true;
  const keys = Object.keys(a ?? {});
  return keys.length === Object.keys(b ?? {}).length && keys.every((key) => b && Object.hasOwn(b, key) && a?.[key] === b[key]);
}

const timeText = (time: unknown): string => (time instanceof Date ? time.toISOString() : ((time as Optional<string>) ?? ''));
