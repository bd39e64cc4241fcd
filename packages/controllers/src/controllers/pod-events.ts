import { isPodReady, readyCondition, type StringMap } from 'kube-endpoints/internal';
import type { Container, Optional, Pod } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';

/**
 * How an update of a pod affects the Services that select it before and after:
 * - `nothing`: no field that these Services use has changed;
 * - `noted`: the update requires no sync, but the next sync must use the new pod;
 * - `changed`: a sync is required.
 */
export type PodChange = 'nothing' | 'noted' | 'changed';

/**
 * Classifies an update of a pod. Ignores labels, because they decide only which Services select the pod.
 *
 * Mirrors podEndpointsChanged (Kubernetes 1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go), and goes further: `changed`
 * covers every update that changes endpoints. Kubernetes' controllers miss that a pod fails while its readiness stays the same, that it is
 * assigned to a node, or that it replaced a pod of the same name whose deletion was missed.
 */
export function classifyPodUpdate(old: Pod, pod: Pod, profile: Profile): PodChange {
  if (old === pod || (old.metadata?.resourceVersion && old.metadata.resourceVersion === pod.metadata?.resourceVersion)) return 'nothing';
  if (differenceChecks.some((differs) => differs(old, pod))) return 'changed';
  const readyTimeChanged = toTimeText(readyCondition(old)?.lastTransitionTime) !== toTimeText(readyCondition(pod)?.lastTransitionTime);
  return readyTimeChanged || !profile.targetResourceVersionOmitted ? 'noted' : 'nothing';
}

/** Whether the labels differ, and so possibly the Services that select the pod. */
export function labelsDiffer(old: Pod, pod: Pod): boolean {
  return !isSameMap(old.metadata?.labels, pod.metadata?.labels);
}

/** Compare the fields that endpoints depend on. The first difference decides, so the fields that change most often come first. */
const differenceChecks: readonly ((old: Pod, pod: Pod) => boolean)[] = [
  (old, pod) => isPodReady(old) !== isPodReady(pod),
  (old, pod) => !old.metadata?.deletionTimestamp !== !pod.metadata?.deletionTimestamp,
  (old, pod) => finalPhaseOf(old) !== finalPhaseOf(pod),
  (old, pod) => (old.status?.podIP ?? '') !== (pod.status?.podIP ?? ''),
  (old, pod) => !isSameList(old.status?.podIPs, pod.status?.podIPs, (a, b) => (a.ip ?? '') === (b.ip ?? '')),
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
    !isSameList(old?.containers, spec?.containers, isSameContainer) ||
    !isSameList(old?.initContainers, spec?.initContainers, isSameContainer)
  );
}

const isSameContainer = (a: Container, b: Container): boolean =>
  (a.restartPolicy ?? '') === (b.restartPolicy ?? '') &&
  isSameList(
    a.ports,
    b.ports,
    (p, q) => p.containerPort === q.containerPort && (p.name ?? '') === (q.name ?? '') && (p.protocol ?? '') === (q.protocol ?? ''),
  );

function isSameList<T>(a: Optional<readonly T[]>, b: Optional<readonly T[]>, isSame: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  if ((a?.length ?? 0) !== (b?.length ?? 0)) return false;
  return !a || a.every((entry, i) => isSame(entry, b?.[i] as T));
}

function isSameMap(a: Optional<StringMap>, b: Optional<StringMap>): boolean {
  if (a === b) return true;
  const keys = Object.keys(a ?? {});
  return keys.length === Object.keys(b ?? {}).length && keys.every((key) => b && Object.hasOwn(b, key) && a?.[key] === b[key]);
}

const toTimeText = (time: unknown): string => (time instanceof Date ? time.toISOString() : ((time as Optional<string>) ?? ''));
