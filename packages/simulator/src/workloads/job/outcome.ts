import type { Pod } from '../types.ts';
import { type ConditionText, createCondition, failures, findCondition, hasTrueCondition } from './conditions.ts';
import type { JobSync } from './context.ts';
import { failJobMessage, isCounted, isPodFailed, judgeFailure } from './failure-policy.ts';
import { hasTrackingFinalizer } from './finalizers.ts';
import { finishTimeOf } from './finish-time.ts';
import { allFailuresOf, failureCountOf, indexesOf, validIndexOf } from './indexes.ts';
import { addIndexes, countIndexes, hasIndex, type Intervals, parseIntervals } from './intervals.ts';
import { isIndexed, isSuspended, type Job } from './objects.ts';
import { matchSuccessPolicy } from './success-policy.ts';

/**
 * Decides whether a Job has to end, in the order of syncJob (1.36, pkg/controller/job/job_controller.go): earlier decisions, failures, then
 * success. Requeues the Job for its deadline.
 */
export function findOutcome(sync: JobSync): void {
  sync.outcome = findEarlierOutcome(sync);
  if (!sync.outcome) {
    const failure = findFailure(sync);
    if (failure) setOutcome(sync, failure);
    else requeueForDeadline(sync);
  }
  if (!isIndexed(sync.job)) return;
  countIndexResults(sync);
  if (sync.outcome) return;
  const message = matchSuccessPolicy(sync.job.spec, sync.succeededIndexes);
  if (message !== undefined) setOutcome(sync, { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message });
}

function setOutcome(sync: JobSync, text: ConditionText): void {
  sync.outcome = createCondition(text, sync.context.now());
}

/** The outcome that an earlier sync has written, or that the policy of failed pods demands. */
function findEarlierOutcome({ job, pods, context }: JobSync): JobSync['outcome'] {
  const { status } = job;
  if (hasTrueCondition(status, 'SuccessCriteriaMet')) return findCondition(status, 'SuccessCriteriaMet');
  if (hasTrueCondition(status, 'FailureTarget')) {
    const { reason = '', message = '' } = findCondition(status, 'FailureTarget') ?? {};
    return createCondition({ type: 'Failed', reason, message }, context.now());
  }
  const message = failJobMessage(job, pods);
  if (message === undefined) return undefined;
  return createCondition({ type: 'FailureTarget', reason: 'PodFailurePolicy', message }, context.now());
}

function findFailure(sync: JobSync): ConditionText | undefined {
  const { job, pods, failed } = sync;
  if (failed > job.spec.backoffLimit || hasTooManyRestarts(job, pods)) return failures.backoffLimit;
  return (remainingMs(sync) ?? 1) <= 0 ? failures.deadline : undefined;
}

/** Whether the containers of running pods have restarted too often: pastBackoffLimitOnFailure. */
function hasTooManyRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec['restartPolicy'] !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  return restarts >= Math.max(spec.backoffLimit, 1);
}

/** Milliseconds until the deadline of a Job; undefined without a deadline. */
function remainingMs({ job, startTime, context }: JobSync): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined || isSuspended(job)) return undefined;
  return activeDeadlineSeconds * 1000 - (context.now() - startTime);
}

function requeueForDeadline(sync: JobSync): void {
  const remaining = remainingMs(sync);
  if (remaining !== undefined) sync.queue.addAfter(sync.key, remaining);
}

/** Finds the indexes that have succeeded and failed, and whether too many have failed. */
function countIndexResults(sync: JobSync): void {
  const { job, pods } = sync;
  const { completions = 0, backoffLimitPerIndex, maxFailedIndexes = Infinity } = job.spec;
  sync.previousIndexes = parseIntervals(job.status.completedIndexes ?? '', completions);
  const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded');
  sync.succeededIndexes = addPods(sync, sync.previousIndexes, succeeded);
  sync.succeeded = countIndexes(sync.succeededIndexes);
  if (backoffLimitPerIndex === undefined) return;
  const before = parseIntervals(job.status.failedIndexes ?? '', completions);
  sync.failedIndexes = addPods(
    sync,
    before,
    pods.filter((pod) => isIndexFailed(job, pod)),
  );
  const failed = countIndexes(sync.failedIndexes);
  if (!sync.outcome) {
    if (failed > maxFailedIndexes) setOutcome(sync, failures.maxFailedIndexes);
    else if (failed > 0 && failed + sync.succeeded >= completions) setOutcome(sync, failures.failedIndexes);
  }
  sync.delayedPods = findDelayedPods(sync, sync.failedIndexes);
}

/** Adds the indexes of pods that the status does not count yet. */
const addPods = ({ job }: JobSync, intervals: Intervals, pods: readonly Pod[]): Intervals =>
  addIndexes(
    intervals,
    indexesOf(pods.filter((pod) => hasTrackingFinalizer(pod) && validIndexOf(pod, job.spec.completions) !== undefined)),
  );

function isIndexFailed(job: Job, pod: Pod): boolean {
  if (!isPodFailed(pod, job)) return false;
  if (judgeFailure(job, pod).action === 'FailIndex') return true;
  return isCounted(job, pod) && failureCountOf(pod) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** The last failed pod of each index that waits for a replacement: getPodsWithDelayedDeletionPerIndex. */
function findDelayedPods(
  { job, pods, activePods, removedFinalizers, succeededIndexes }: JobSync,
  failedIndexes: Intervals,
): Map<number, Pod> {
  const active = new Set(indexesOf(activePods));
  const delayed = new Map<number, Pod>();
  for (const pod of pods) {
    const index = validIndexOf(pod, job.spec.completions);
    if (index === undefined || !hasTrackingFinalizer(pod) || removedFinalizers.has(pod.metadata.uid ?? '')) continue;
    if (!isPodFailed(pod, job) || active.has(index) || hasIndex(succeededIndexes, index) || hasIndex(failedIndexes, index)) continue;
    const last = delayed.get(index);
    if (!last || (allFailuresOf(last) <= allFailuresOf(pod) && finishTimeOf(pod) >= finishTimeOf(last))) delayed.set(index, pod);
  }
  return delayed;
}
