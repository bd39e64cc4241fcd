import type { Pod } from '../types.ts';
import type { JobSync } from './context.ts';
import { isCounted, isPodFailed } from './failure-policy.ts';
import { hasTrackingFinalizer } from './finalizers.ts';
import { completionIndexOf, validIndexOf } from './indexes.ts';
import { hasIndex } from './intervals.ts';
import { isIndexed } from './objects.ts';

/** Pods that have ended, and what the status has to add for them. */
export interface EndedPods {
  /** Pods whose finalizer can be removed once the status is written. */
  readonly pods: readonly Pod[];
  /** UIDs to add to the status. */
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
  /** Ascending completion indexes to add. */
  readonly indexes: readonly number[];
  /** Whether the status has room for no more UIDs. */
  readonly isFull: boolean;
}

/** The largest number of UIDs in a status. */
const maxUncounted = 500;

/** Mirrors the loop of trackJobStatusAndRemoveFinalizers (1.36, pkg/controller/job/job_controller.go). */
export function findEndedPods(sync: JobSync, pods: readonly Pod[]): EndedPods {
  const { succeeded: stored = [], failed: storedFailed = [] } = sync.job.status.uncountedTerminatedPods ?? {};
  const ended: Pod[] = [];
  const counted = { succeeded: [] as string[], failed: [] as string[], indexes: [] as number[] };
  const count = (): number =>
    counted.indexes.length + stored.length + counted.succeeded.length + storedFailed.length + counted.failed.length;
  for (const pod of pods) {
    if (!isPending(sync, pod) || !canRelease(sync, pod)) continue;
    ended.push(pod);
    const { metadata, status } = pod;
    const { uid = '' } = metadata;
    if (status?.phase === 'Succeeded' && !sync.uncounted.failed.has(uid)) addSuccess(sync, pod, counted);
    else if (isFailure(sync, pod)) counted.failed.push(uid);
    if (count() >= maxUncounted) return { pods: ended, ...counted, isFull: true };
  }
  return { pods: ended, ...counted, isFull: false };
}

/** Whether the finalizer of a pod is still to be removed. */
export const isPending = ({ removedFinalizers }: JobSync, pod: Pod): boolean =>
  hasTrackingFinalizer(pod) && !removedFinalizers.has(pod.metadata.uid ?? '');

/** Whether nothing needs the pod any more: canRemoveFinalizer. */
function canRelease({ job, outcome, delayedPods }: JobSync, pod: Pod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || outcome || pod.status?.phase === 'Succeeded') return true;
  if (!isPodFailed(pod, job)) return false;
  const index = completionIndexOf(pod);
  return index === undefined || delayedPods.get(index)?.metadata.uid !== pod.metadata.uid;
}

function addSuccess({ job, previousIndexes, uncounted }: JobSync, pod: Pod, counted: { succeeded: string[]; indexes: number[] }): void {
  const { uid = '' } = pod.metadata;
  if (isIndexed(job)) {
    const index = validIndexOf(pod, job.spec.completions);
    if (index !== undefined && !hasIndex(previousIndexes, index)) counted.indexes.push(index);
  } else if (!uncounted.succeeded.has(uid)) counted.succeeded.push(uid);
}

/** Whether a pod is a failure that the status has to count. All pods of a failed Job are. */
function isFailure({ job, outcome, uncounted }: JobSync, pod: Pod): boolean {
  if (!isPodFailed(pod, job) && (!outcome || outcome.type === 'SuccessCriteriaMet')) return false;
  if (uncounted.failed.has(pod.metadata.uid ?? '')) return false;
  return (!isIndexed(job) || validIndexOf(pod, job.spec.completions) !== undefined) && isCounted(job, pod);
}
