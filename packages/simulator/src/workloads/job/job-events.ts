import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Change, Queue } from '../../controller/controller.ts';
import { parseTime } from '../time.ts';
import { isJobFinished } from './conditions.ts';
import type { JobState } from './context.ts';
import type { Job } from './objects.ts';
import { orphansKey } from './orphans.ts';

/** The queues that event handlers fill. */
export interface Queues {
  readonly queue: Queue;
  /** Adds a key of `orphans.ts`. */
  enqueueOrphan(key: string): void;
}

/** Delays a sync so that it covers several changes. */
export const batchPeriodMs = 1000;

/** Handles a change of a Job: addJob, updateJob and deleteJob (1.36, pkg/controller/job/job_controller.go). */
export function handleJob(state: JobState, change: Change, queues: Queues): void {
  const [previous, current] = [change.previous, change.current] as readonly (Job | undefined)[];
  if (previous && current) handleUpdate(state, previous, current, queues);
  else queues.queue.add(metaNamespaceKey((current ?? (previous as Job)).metadata));
  if (!current) forget(state, previous as Job, queues);
}

function handleUpdate({ context }: JobState, previous: Job, current: Job, { queue, enqueueOrphan }: Queues): void {
  const { metadata, spec, status } = current;
  const key = metaNamespaceKey(metadata);
  if (isJobFinished(current)) {
    enqueueOrphan(orphansKey(current));
    return;
  }
  queue.addAfter(key, metadata.generation === previous.metadata.generation ? batchPeriodMs : 0);
  const { activeDeadlineSeconds: seconds } = spec;
  const startTime = parseTime(status?.startTime);
  if (startTime === undefined || seconds === undefined || seconds === previous.spec.activeDeadlineSeconds) return;
  queue.addAfter(key, seconds * 1000 - (context.now() - startTime));
}

function forget({ consistency, finished, backOffs }: JobState, job: Job, { enqueueOrphan }: Queues): void {
  const { uid = '' } = job.metadata;
  const key = metaNamespaceKey(job.metadata);
  consistency.clear(key, uid);
  finished.delete(uid);
  enqueueOrphan(orphansKey(job));
  backOffs.delete(key);
}
