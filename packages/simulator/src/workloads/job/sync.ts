import { selectorMatches, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Queue, Steps } from '../../controller/controller.ts';
import { emit } from '../../controller/effects.ts';
import { claimObjects, listControlled } from '../owner-references.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../pods.ts';
import { formatTime, parseTime } from '../time.ts';
import type { Pod } from '../types.ts';
import { nextBackOff } from './back-off.ts';
import { completion, createCondition, isJobFinished, resumption, setCondition, suspension } from './conditions.ts';
import { type Failure, type JobState, type JobSync, setStatus } from './context.ts';
import { deleteCountedPods } from './delete-pods.ts';
import { isCounted, isPodFailed } from './failure-policy.ts';
import { hasTrackingFinalizer, recordPodWrite } from './finalizers.ts';
import { validIndexOf } from './indexes.ts';
import { manageJob } from './manage.ts';
import { isIndexed, isManagedExternally, isSuspended, type Job, jobKind, trackingFinalizer } from './objects.ts';
import { findOutcome } from './outcome.ts';
import { trackStatus } from './tracking.ts';

/**
 * One sync of a Job: claims pods, decides whether the Job ends, creates or deletes pods unless earlier ones are still expected, and counts
 * ended pods in the status. Mirrors syncJob (1.36, pkg/controller/job/job_controller.go).
 * @throws ApiError or SyncError if a write failed, or if the cache is older than the last write
 */
export function* syncJob(state: JobState, key: string, queue: Queue): Steps {
  const { context, expectations } = state;
  state.consistency.ensureReady(key);
  const { namespace, name } = splitMetaNamespaceKey(key);
  const job = context.cache.get<Job>(jobKind.kind, namespace, name);
  if (!job || isJobFinished(job)) {
    forgetJob(state, key, job);
    return;
  }
  if (isManagedExternally(job) || state.finished.has(job.metadata.uid ?? '')) return;
  if (!knownModes.includes(job.spec.completionMode)) {
    yield* emit(job, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown');
    return;
  }
  const mayManage = expectations.areSatisfied(key);
  const sync = startSync(state, { key, queue, job, pods: yield* claimPods(state, job) });
  findOutcome(sync);
  const { active, error, isChanged } = sync.outcome ? yield* endJob(sync, mayManage) : yield* runJob(sync, mayManage);
  const { status } = sync.job;
  const { ready, terminating } = sync;
  const needsUpdate = isChanged || active !== (status.active ?? 0) || ready !== status.ready || terminating !== status.terminating;
  setStatus(sync, { active, ready, terminating });
  yield* trackStatus(sync, needsUpdate);
  if (error) throw error;
}

const knownModes: readonly (string | undefined)[] = [undefined, 'NonIndexed', 'Indexed'];

/** Forgets a Job that is gone or has ended, externally managed ones excepted. */
function forgetJob({ expectations, finalizers, consistency, backOffs, finished }: JobState, key: string, job: Job | undefined): void {
  if (job && isManagedExternally(job)) return;
  if (job) finished.delete(job.metadata.uid ?? '');
  else {
    expectations.delete(key);
    finalizers.delete(key);
  }
  consistency.clear(key, job?.metadata.uid);
  backOffs.delete(key);
}

/** Adopts and releases pods, and returns those of the Job: getPodsForJob. */
function* claimPods({ context: { cache }, consistency }: JobState, job: Job): Steps<Pod[]> {
  const { namespace = '', uid } = job.metadata;
  const pods = [...listControlled<Pod>(cache, 'Pod', job, jobKind), ...cache.controlledBy<Pod>('Pod', namespace, undefined)];
  const claimed = yield* claimObjects(pods, {
    owner: job,
    ownerKind: jobKind,
    kind: 'Pod',
    matches: ({ metadata }) => selectorMatches(job.spec.selector, metadata.labels ?? {}),
    onWrite: (pod) => recordPodWrite(consistency, pod),
    finalizers: [trackingFinalizer],
  });
  const isAdopted = ({ metadata }: Pod): boolean => !(metadata.ownerReferences ?? []).some((reference) => reference['uid'] === uid);
  return claimed.map((pod) => (isAdopted(pod) && !hasTrackingFinalizer(pod) ? addFinalizer(pod) : pod));
}

const addFinalizer = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), trackingFinalizer] },
});

interface StartOptions {
  readonly key: string;
  readonly queue: Queue;
  readonly job: Job;
  readonly pods: readonly Pod[];
}

/** Counts the pods, and sets the time when the Job starts. */
function startSync(state: JobState, { key, queue, job, pods }: StartOptions): JobSync {
  const { now } = state.context;
  const { startTime, uncountedTerminatedPods = {}, ...rest } = job.status ?? {};
  const start = parseTime(startTime) ?? (isSuspended(job) ? undefined : now());
  const status = { ...rest, uncountedTerminatedPods, ...(start !== undefined && { startTime: startTime ?? formatTime(start) }) };
  const uncounted = { succeeded: new Set(uncountedTerminatedPods.succeeded), failed: new Set(uncountedTerminatedPods.failed) };
  const removedFinalizers = state.finalizers.awaited(key);
  const listNew = (counted: ReadonlySet<string>, filter: (pod: Pod) => boolean): Pod[] =>
    pods
      .filter(({ metadata: { uid = '' } }) => !counted.has(uid) && !removedFinalizers.has(uid))
      .filter((pod) => isTracked(pod, job) && filter(pod));
  const succeededPods = listNew(uncounted.succeeded, (pod) => pod.status?.phase === 'Succeeded');
  const failedPods = listNew(uncounted.failed, (pod) => isPodFailed(pod, job));
  const activePods = pods.filter(isPodActive);
  return {
    ...state,
    ...{ key, queue, pods, activePods, removedFinalizers, uncounted },
    job: { ...job, status },
    startTime: start,
    backOff: nextBackOff(state.backOffs.get(key), succeededPods, failedPods),
    succeeded: (status.succeeded ?? 0) + succeededPods.length + uncounted.succeeded.size,
    failed: (status.failed ?? 0) + failedPods.filter((pod) => isCounted(job, pod)).length + uncounted.failed.size,
    terminating: pods.filter(isPodTerminating).length,
    ready: activePods.filter(isPodReady).length,
    previousIndexes: [],
    succeededIndexes: [],
    delayedPods: new Map(),
    outcome: undefined,
  };
}

/** Whether the status may still have to count a pod: getValidPodsWithFilter. */
const isTracked = (pod: Pod, job: Job): boolean =>
  hasTrackingFinalizer(pod) && (!isIndexed(job) || validIndexOf(pod, job.spec.completions) !== undefined);

interface Progress {
  readonly active: number;
  readonly error?: Failure | undefined;
  /** Whether the condition Suspended has changed. */
  readonly isChanged: boolean;
}

/** Deletes the active pods. The Job has not ended yet if some remain, or if pods are missing in the cache. */
function* endJob(sync: JobSync, mayManage: boolean): Steps<Progress> {
  const { activePods } = sync;
  const { deleted, error } = yield* deleteCountedPods(sync, activePods);
  if (deleted !== activePods.length || !mayManage) sync.outcome = undefined;
  return { active: activePods.length - deleted, error, isChanged: false };
}

/** Creates or deletes pods. The Job completes, is suspended, or is resumed. */
function* runJob(sync: JobSync, mayManage: boolean): Steps<Progress> {
  const { job, context } = sync;
  const manages = mayManage && job.metadata.deletionTimestamp === undefined;
  const { active, error } = manages ? yield* manageJob(sync) : { active: sync.activePods.length };
  const { completions = 1 } = job.spec;
  if (sync.succeeded >= completions && active === 0) {
    sync.outcome = createCondition(completion, context.now());
    return { active, error, isChanged: false };
  }
  return { active, error, isChanged: manages && (yield* updateSuspension(sync)) };
}

/** Sets the condition Suspended, and returns whether it has changed. */
function* updateSuspension(sync: JobSync): Steps<boolean> {
  const { job, context } = sync;
  const isStopped = isSuspended(job);
  const now = context.now();
  const before = job.status.conditions ?? [];
  const conditions = setCondition(before, isStopped ? createCondition(suspension, now) : createCondition(resumption, now, 'False'));
  if (conditions === before) return false;
  yield* emit(job, 'Normal', isStopped ? 'Suspended' : 'Resumed', isStopped ? suspension.message : resumption.message);
  const { startTime: _, ...rest } = job.status;
  sync.job = { ...job, status: { ...rest, conditions, ...(!isStopped && { startTime: formatTime(now) }) } };
  return true;
}
