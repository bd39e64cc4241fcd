import { isTerminalPhase } from 'kube-endpoints/internal';
import { parseTime } from './time.ts';
import type { Condition, Pod } from './types.ts';

/** States of Pods. Mirrors pkg/controller/controller_utils.go and pkg/api/v1/pod/util.go of 1.36. */

/** Whether a Pod counts as a replica: it has not ended and is not being deleted. */
export const isPodActive = (pod: Pod): boolean => !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;

/** Whether a Pod is being deleted and has not ended. */
export const isPodTerminating = (pod: Pod): boolean => !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;

export const isPodTerminal = ({ status }: Pod): boolean => isTerminalPhase(status?.phase);

export const isPodReady = (pod: Pod): boolean => readyConditionOf(pod)?.status === 'True';

const readyConditionOf = ({ status }: Pod): Condition | undefined => status?.conditions?.find(({ type }) => type === 'Ready');

/** When a ready Pod became ready, in milliseconds since the epoch; undefined if it is not ready or the time is unknown. */
export const readyTimeOf = (pod: Pod): number | undefined =>
  isPodReady(pod) ? parseTime(readyConditionOf(pod)?.lastTransitionTime) : undefined;

/** Whether a Pod has been ready for at least `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  const readyTime = readyTimeOf(pod);
  return minReadySeconds === 0 || (readyTime !== undefined && readyTime + minReadySeconds * 1000 <= now);
}

/** Milliseconds until the next of the ready Pods becomes available; undefined if none will. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const delays = pods
    .map(readyTimeOf)
    .filter((time) => time !== undefined)
    .map((time) => time + minReadySeconds * 1000 - now)
    .filter((delay) => delay > 0);
  return minReadySeconds > 0 && delays.length > 0 ? Math.min(...delays) : undefined;
}
