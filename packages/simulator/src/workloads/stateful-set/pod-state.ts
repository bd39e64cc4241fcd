import { isPodAvailable, isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';

/** The states of pods that a StatefulSet distinguishes: 1.36, pkg/controller/statefulset/stateful_set_utils.go. */

const phaseOf = (pod: Pod): string => pod.status?.phase ?? '';

/** Whether a pod is stored. */
export const isCreated = (pod: Pod): boolean => phaseOf(pod) !== '';
export const isPending = (pod: Pod): boolean => phaseOf(pod) === 'Pending';
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
export const isRunningAndReady = (pod: Pod): boolean => phaseOf(pod) === 'Running' && isPodReady(pod);
export const isUnavailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  !isPodAvailable(pod, minReadySeconds, now) || isTerminating(pod);
