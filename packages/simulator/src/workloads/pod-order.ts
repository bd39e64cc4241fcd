import { isPodReady, readyTimeOf } from './pods.ts';
import { parseTime } from './time.ts';
import type { Pod } from './types.ts';

/** Criteria of the order in which controllers delete Pods. Mirrors pkg/controller/controller_utils.go of 1.36. */

/**
 * Negative if the first Pod is deleted before the second one: unassigned, pending, not ready, ready for a shorter time, with more restarts, and
 * younger Pods come first. Mirrors ActivePods.
 */
export const compareActivePods = (a: Pod, b: Pod): number =>
  compareStates(a, b) ||
  (isPodReady(a) ? compareTimes(readyTimeOf(a), readyTimeOf(b)) : 0) ||
  compareRestarts(a, b) ||
  compareCreation(a, b);

/** Compares the first criteria: node, phase and readiness. */
export const compareStates = (a: Pod, b: Pod): number =>
  Number(isAssigned(a)) - Number(isAssigned(b)) || phaseOrder(a) - phaseOrder(b) || Number(isPodReady(a)) - Number(isPodReady(b));

/** Pods with more restarts of a container come first, then those with more restarts of a sidecar. */
export const compareRestarts = (a: Pod, b: Pod): number => maxRestarts(b) - maxRestarts(a) || maxSidecarRestarts(b) - maxSidecarRestarts(a);

const compareCreation = (a: Pod, b: Pod): number =>
  compareTimes(parseTime(a.metadata.creationTimestamp), parseTime(b.metadata.creationTimestamp));

/** Later times come first, and unknown ones before them: afterOrZero. */
function compareTimes(a: number | undefined, b: number | undefined): number {
  const [first, second] = [a ?? Infinity, b ?? Infinity];
  return first === second ? 0 : second - first;
}

const isAssigned = ({ spec }: Pod): boolean => (spec?.nodeName ?? '') !== '';

const phases = ['Pending', 'Unknown', 'Running'];
/** Other phases come first, like Pending. */
const phaseOrder = ({ status }: Pod): number => Math.max(phases.indexOf(status?.phase ?? ''), 0);

const maxRestarts = ({ status }: Pod): number =>
  Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));

function maxSidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set((spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  const statuses = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return Math.max(0, ...statuses.map(({ restartCount = 0 }) => restartCount));
}
