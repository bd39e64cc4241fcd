import type { Steps } from '../../controller/controller.ts';
import { isPodTerminating } from '../pods.ts';
import type { Pod } from '../types.ts';
import { remainingBackOff, remainingIndexBackOff } from './back-off.ts';
import type { Failure, JobSync } from './context.ts';
import { createPods } from './create-pods.ts';
import { deleteSurplusPods } from './delete-pods.ts';
import { indexesOf } from './indexes.ts';
import { addIndexes, mergeIntervals } from './intervals.ts';
import { batchPeriodMs } from './job-events.ts';
import { isIndexed, isSuspended, type Job, onlyReplacesEndedPods } from './objects.ts';
import { choosePodsToDelete } from './pods-to-delete.ts';

export interface Managed {
  /** The number of active pods afterwards. */
  readonly active: number;
  readonly error?: Failure | undefined;
}

/** The largest number of pods that one sync creates or deletes. */
const maxPodsPerSync = 500;

/** Deletes surplus pods, or creates missing ones unless a back-off delays them: manageJob (1.36, pkg/controller/job/job_controller.go). */
export function* manageJob(sync: JobSync): Steps<Managed> {
  const { job, activePods } = sync;
  const active = activePods.length;
  if (isSuspended(job)) return yield* deletePods(sync, choosePodsToDelete(job, activePods, active));
  const wanted = countWanted(sync);
  const surplus = choosePodsToDelete(job, activePods, Math.max(active - wanted, 0)).slice(0, maxPodsPerSync);
  if (surplus.length > 0) return yield* deletePods(sync, surplus);
  const missing = wanted - active - (onlyReplacesEndedPods(job) ? sync.terminating : 0);
  return missing > 0 ? yield* createMissingPods(sync, missing) : { active };
}

function* deletePods(sync: JobSync, pods: readonly Pod[]): Steps<Managed> {
  const { deleted, error } = yield* deleteSurplusPods(sync, pods);
  return { active: sync.activePods.length - deleted, error };
}

function countWanted({ job: { spec }, activePods, succeeded }: JobSync): number {
  if (spec.completions === undefined) return succeeded > 0 ? activePods.length : spec.parallelism;
  return Math.max(Math.min(spec.completions - succeeded, spec.parallelism), 0);
}

function* createMissingPods(sync: JobSync, missing: number): Steps<Managed> {
  const { job, backOff, context } = sync;
  const active = sync.activePods.length;
  const wait = job.spec.backoffLimitPerIndex === undefined ? remainingBackOff(backOff, context.now()) : 0;
  if (wait > 0) return delaySync(sync, wait);
  const limited = Math.min(missing, maxPodsPerSync);
  const indexes = isIndexed(job) ? firstPendingIndexes(sync, limited) : [];
  const { ready, waitMs } = job.spec.backoffLimitPerIndex === undefined ? { ready: indexes, waitMs: 0 } : selectReady(sync, indexes);
  if (waitMs > 0) return delaySync(sync, waitMs);
  const { created, error } = yield* createPods(sync, isIndexed(job) ? ready.length : limited, ready);
  return { active: active + created, error };
}

function delaySync({ queue, key, activePods }: JobSync, milliseconds: number): Managed {
  queue.addAfter(key, Math.max(milliseconds, batchPeriodMs));
  return { active: activePods.length };
}

/** The indexes whose back-off is over, or else the shortest remaining one: getPodCreationInfoForIndependentIndexes. */
function selectReady({ delayedPods, context }: JobSync, indexes: readonly number[]): { ready: readonly number[]; waitMs: number } {
  const waits = indexes.map((index) => ({ index, waitMs: remainingIndexBackOff(delayedPods.get(index), context.now()) }));
  const ready = waits.filter(({ waitMs }) => waitMs === 0).map(({ index }) => index);
  return { ready, waitMs: ready.length > 0 || waits.length === 0 ? 0 : Math.min(...waits.map(({ waitMs }) => waitMs)) };
}

/** The lowest indexes without an active pod that have neither succeeded nor failed. */
function firstPendingIndexes({ job, pods, activePods, succeededIndexes, failedIndexes = [] }: JobSync, count: number): number[] {
  const occupied = addIndexes(addIndexes(succeededIndexes, indexesOf(activePods)), terminatingIndexes(job, pods));
  const result: number[] = [];
  let candidate = 0;
  const takeUntil = (end: number): void => {
    for (; candidate < end && result.length < count; candidate++) result.push(candidate);
  };
  const { completions = 0 } = job.spec;
  for (const { first, last } of mergeIntervals(occupied, failedIndexes)) {
    takeUntil(Math.min(first, completions));
    candidate = Math.max(candidate, last + 1);
  }
  takeUntil(completions);
  return result;
}

const terminatingIndexes = (job: Job, pods: readonly Pod[]): number[] =>
  onlyReplacesEndedPods(job) ? indexesOf(pods.filter(isPodTerminating)) : [];
