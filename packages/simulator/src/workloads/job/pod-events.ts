import { deepEqual, metaNamespaceKey, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { Change } from '../../controller/controller.ts';
import { controllerOf, findController } from '../owner-references.ts';
import type { Pod } from '../types.ts';
import { isJobFinished } from './conditions.ts';
import type { JobState } from './context.ts';
import { hasTrackingFinalizer } from './finalizers.ts';
import { batchPeriodMs, type Queues } from './job-events.ts';
import { type Job, jobKind } from './objects.ts';
import { orphanKey } from './orphans.ts';

/** Handles a change of a pod: addPod, updatePod and deletePod (1.36, pkg/controller/job/job_controller.go). */
export function handlePod(state: JobState, change: Change, queues: Queues): void {
  const [previous, current] = [change.previous, change.current] as readonly (Pod | undefined)[];
  if (!current) observeDeletion(state, previous as Pod, queues, true);
  else if (previous && previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  else if (current.metadata.deletionTimestamp !== undefined) observeDeletion(state, current, queues, false);
  else if (previous) handleUpdate(state, previous, current, queues);
  else handleAddition(state, current, queues);
}

function handleAddition(state: JobState, pod: Pod, queues: Queues): void {
  if (!controllerOf(pod)) {
    enqueueOrphan(pod, queues);
    enqueueMatching(state, pod, queues);
    return;
  }
  const job = jobOf(state, pod);
  if (job) state.expectations.observeCreation(metaNamespaceKey(job.metadata));
  enqueueBatched(job, queues);
}

function handleUpdate(state: JobState, previous: Pod, current: Pod, queues: Queues): void {
  const hasNewController = !deepEqual(controllerOf(previous), controllerOf(current));
  if (hasNewController && controllerOf(previous)) {
    const job = jobOf(state, previous);
    observeRemovedFinalizer(state, job, current);
    enqueueBatched(job, queues);
  }
  if (controllerOf(current)) {
    const job = jobOf(state, current);
    observeRemovedFinalizer(state, job, current);
    enqueueBatched(job, queues);
    return;
  }
  enqueueOrphan(current, queues);
  const hasNewLabels = !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {});
  if (hasNewLabels || hasNewController) enqueueMatching(state, current, queues);
}

/** @param isFinal whether the pod is gone, and not only marked as deleted */
function observeDeletion(state: JobState, pod: Pod, queues: Queues, isFinal: boolean): void {
  const job = jobOf(state, pod);
  if (!job || isJobFinished(job)) {
    enqueueOrphan(pod, queues);
    return;
  }
  const key = metaNamespaceKey(job.metadata);
  state.expectations.observeDeletion(key);
  if (isFinal || !hasTrackingFinalizer(pod)) state.finalizers.observeRemoval(key, pod.metadata.uid ?? '');
  enqueueBatched(job, queues);
}

const jobOf = ({ context: { cache } }: JobState, pod: Pod): Job | undefined => findController<Job>(cache, pod, jobKind.kind);

function observeRemovedFinalizer({ finalizers }: JobState, job: Job | undefined, pod: Pod): void {
  if (job && !hasTrackingFinalizer(pod)) finalizers.observeRemoval(metaNamespaceKey(job.metadata), pod.metadata.uid ?? '');
}

function enqueueOrphan(pod: Pod, queues: Queues): void {
  if (hasTrackingFinalizer(pod)) queues.enqueueOrphan(orphanKey(pod));
}

function enqueueBatched(job: Job | undefined, { queue }: Queues): void {
  if (job) queue.addAfter(metaNamespaceKey(job.metadata), batchPeriodMs);
}

/** Enqueues the Jobs that may adopt a pod: GetPodJobs. */
function enqueueMatching({ context: { cache } }: JobState, { metadata: { namespace, labels = {} } }: Pod, queues: Queues): void {
  if (Object.keys(labels).length === 0) return;
  for (const job of cache.list<Job>(jobKind.kind, namespace)) if (selectorMatches(job.spec.selector, labels)) enqueueBatched(job, queues);
}
