import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { hasReason } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { emit, inParallel, perform } from '../../controller/effects.ts';
import { sortInPlace } from '../../go/sort.ts';
import { catchFailure } from '../errors.ts';
import type { Pod } from '../types.ts';
import { createCondition, hasTrueCondition, setCondition } from './conditions.ts';
import { type Failure, type JobSync, setStatus } from './context.ts';
import { type EndedPods, findEndedPods, isPending } from './ended-pods.ts';
import { removeFinalizer } from './finalizers.ts';
import { hasLowerIndex } from './indexes.ts';
import { addIndexes, countIndexes, printIntervals } from './intervals.ts';
import { isIndexed, type Job, type JobStatus, type UncountedPods } from './objects.ts';

/**
 * Counts ended pods exactly once: writes their UIDs to the status, removes their finalizers, and adds those without one to the counters. Ends
 * the Job once all of its pods are counted. Mirrors trackJobStatusAndRemoveFinalizers (1.36, pkg/controller/job/job_controller.go).
 * @param needsUpdate whether the status has changed before
 * @throws ApiError if a write fails
 */
export function* trackStatus(sync: JobSync, needsUpdate: boolean): Steps {
  const pods = [...sync.pods];
  if (isIndexed(sync.job)) sortInPlace(pods, hasLowerIndex);
  const tracked = new Set(pods.filter((pod) => isPending(sync, pod)).map(uidOf));
  const isCounted = countReleased(sync, tracked);
  const ended = findEndedPods(sync, pods);
  const isChanged = [addUncounted(sync, ended), addIndexResults(sync, ended), announceOutcome(sync)].includes(true);
  const mustWrite = yield* flush(sync, { pods: ended.pods, tracked, needsWrite: needsUpdate || isCounted || isChanged });
  const isFinished = !ended.isFull && finishJob(sync);
  if (!mustWrite && !isFinished) return;
  const { job } = sync;
  yield* writeStatus(sync);
  if (isFinished) yield* reportEnd(sync, job);
}

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

/** Moves UIDs of pods without a finalizer to the counters; returns whether there are any: cleanUncountedPodsWithoutFinalizers. */
function countReleased(sync: JobSync, tracked: ReadonlySet<string>): boolean {
  const { uncountedTerminatedPods = {}, ...status } = sync.job.status;
  const { succeeded = [], failed = [] } = uncountedTerminatedPods;
  const left = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  const counted = { succeeded: succeeded.length - left.succeeded.length, failed: failed.length - left.failed.length };
  setStatus(sync, {
    succeeded: (status.succeeded ?? 0) + counted.succeeded,
    failed: (status.failed ?? 0) + counted.failed,
    uncountedTerminatedPods: left,
  });
  return counted.succeeded + counted.failed > 0;
}

/** Adds the UIDs of ended pods; returns whether the status has changed. */
function addUncounted(sync: JobSync, ended: EndedPods): boolean {
  const { succeeded = [], failed = [] } = sync.job.status.uncountedTerminatedPods ?? {};
  setStatus(sync, {
    uncountedTerminatedPods: { succeeded: [...succeeded, ...ended.succeeded], failed: [...failed, ...ended.failed] },
  });
  return ended.succeeded.length + ended.failed.length + ended.indexes.length > 0;
}

/** Sets the indexes that have succeeded and failed; returns whether the status has changed. */
function addIndexResults(sync: JobSync, { indexes }: EndedPods): boolean {
  if (!isIndexed(sync.job)) return false;
  const { completedIndexes = '', failedIndexes } = sync.job.status;
  const succeeded = addIndexes(sync.succeededIndexes, indexes);
  const [completedText, failedText] = [printIntervals(succeeded), sync.failedIndexes && printIntervals(sync.failedIndexes)];
  const { failedIndexes: _, ...status } = sync.job.status;
  sync.job = {
    ...sync.job,
    status: {
      ...status,
      succeeded: countIndexes(succeeded),
      completedIndexes: completedText,
      ...(failedText !== undefined && { failedIndexes: failedText }),
    },
  };
  return completedText !== completedIndexes || failedText !== failedIndexes;
}

/** Adds the interim condition of an outcome, and replaces the outcome by the final one; returns whether the status has changed. */
function announceOutcome(sync: JobSync): boolean {
  const { outcome, job, context } = sync;
  const finalType = outcome && finalTypes[outcome.type];
  if (!finalType) return false;
  const isNew = !hasTrueCondition(job.status, outcome.type);
  if (isNew) setStatus(sync, { conditions: [...(job.status.conditions ?? []), outcome] });
  sync.outcome = createCondition({ type: finalType, reason: outcome.reason ?? '', message: outcome.message ?? '' }, context.now());
  return isNew;
}

const finalTypes: Readonly<Record<string, string>> = { FailureTarget: 'Failed', SuccessCriteriaMet: 'Complete' };

interface FlushOptions {
  readonly pods: readonly Pod[];
  /** UIDs of pods with a finalizer. */
  readonly tracked: Set<string>;
  readonly needsWrite: boolean;
}

/** Writes the status, removes finalizers, and counts their pods. Returns whether the status has changed since: flushUncountedAndRemoveFinalizers. */
function* flush(sync: JobSync, { pods, tracked, needsWrite }: FlushOptions): Steps<boolean> {
  if (needsWrite) {
    yield* writeStatus(sync);
    sync.backOffs.set(sync.key, sync.backOff);
  }
  const error = yield* removeFinalizers(sync, pods, tracked);
  const isCounted = countReleased(sync, tracked);
  if (!error) return isCounted;
  if (isCounted) yield* writeStatus(sync);
  throw error;
}

/** Removes the finalizers of pods, and the UIDs of those that have none any more. Returns the first failure. */
function* removeFinalizers(
  { finalizers, consistency, key }: JobSync,
  pods: readonly Pod[],
  tracked: Set<string>,
): Steps<Failure | undefined> {
  if (pods.length > 0) finalizers.expectRemovals(key, pods.map(uidOf));
  const errors: Failure[] = [];
  yield* inParallel(
    pods.map(function* (pod): Steps {
      const error = yield* catchFailure(removeFinalizer(consistency, pod));
      if (error) finalizers.observeRemoval(key, uidOf(pod));
      if (error && !hasReason(error, 'NotFound')) errors.push(error);
      else tracked.delete(uidOf(pod));
    }),
  );
  return errors[0];
}

/** Sets the final condition unless pods are uncounted or terminating: enactJobFinished. */
function finishJob(sync: JobSync): boolean {
  const { outcome, job, terminating, context } = sync;
  const { succeeded = [], failed = [] } = job.status.uncountedTerminatedPods ?? {};
  if (!outcome || succeeded.length + failed.length > 0 || terminating > 0) return false;
  const { type, reason = '', message = '', lastTransitionTime = '' } = outcome;
  const conditions = setCondition(job.status.conditions ?? [], createCondition({ type, reason, message }, context.now()));
  setStatus(sync, { conditions, ...(type === 'Complete' && { completionTime: lastTransitionTime }) });
  return true;
}

/** Mirrors recordJobFinished. */
function* reportEnd({ finished, outcome }: JobSync, job: Job): Steps {
  const { completions = Infinity } = job.spec;
  if (outcome?.type !== 'Complete') yield* emit(job, 'Warning', outcome?.reason ?? '', outcome?.message ?? '');
  else {
    if ((job.status?.succeeded ?? 0) > completions)
      yield* emit(job, 'Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    yield* emit(job, 'Normal', 'Completed', 'Job completed');
  }
  finished.add(job.metadata.uid ?? '');
}

/** Writes the status, and continues with the stored Job. @throws ApiError */
function* writeStatus(sync: JobSync): Steps {
  const object = { ...sync.job, status: encodeStatus(sync.job.status) };
  const stored = yield* perform<Job>({ do: 'update', kind: 'Job', object, subresource: 'status' });
  const { uid = '', resourceVersion = '' } = stored.metadata;
  sync.consistency.recordWrite(metaNamespaceKey(stored.metadata), uid, 'Job', resourceVersion);
  sync.job = { ...stored, status: stored.status ?? {} };
}

/** Go omits these fields if they are empty. */
function encodeStatus({ uncountedTerminatedPods = {}, ...status }: JobStatus): JobStatus {
  const omitted = ['active', 'succeeded', 'failed', 'completedIndexes', 'conditions'];
  const isEmpty = (value: unknown): boolean => value === 0 || value === '' || (Array.isArray(value) && value.length === 0);
  const fields = Object.entries(status).filter(([name, value]) => value !== undefined && !(omitted.includes(name) && isEmpty(value)));
  const uids = Object.entries(uncountedTerminatedPods).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(fields), uncountedTerminatedPods: Object.fromEntries(uids) as UncountedPods };
}
