import type { ApiError } from 'kube-endpoints/port';
import type { ControllerContext, Queue, SyncError } from '../../controller/controller.ts';
import type { ConsistencyStore } from '../consistency.ts';
import type { ExpectationCounts } from '../expectations.ts';
import type { Pod } from '../types.ts';
import type { BackOffRecord } from './back-off.ts';
import type { FinalizerExpectations } from './finalizers.ts';
import type { Intervals } from './intervals.ts';
import type { Job, JobCondition, JobStatus } from './objects.ts';

/** What the controller keeps between syncs. */
export interface JobState {
  readonly context: ControllerContext;
  readonly expectations: ExpectationCounts;
  readonly finalizers: FinalizerExpectations;
  readonly consistency: ConsistencyStore;
  /** By the keys of Jobs. */
  readonly backOffs: Map<string, BackOffRecord>;
  /** The UIDs of Jobs that this controller has finished, until it sees the change. */
  readonly finished: Set<string>;
}

/** What a sync of a Job has found so far. */
export interface JobSync extends JobState {
  readonly key: string;
  readonly queue: Queue;
  /** The Job, with the status that the sync will write. */
  job: Job & { readonly status: JobStatus };
  /** When the Job started in milliseconds since the epoch: more precise than its status if it starts now. */
  readonly startTime: number | undefined;
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  /** UIDs of pods whose finalizer was removed, and whose cached state may still have it. */
  readonly removedFinalizers: ReadonlySet<string>;
  /** UIDs of pods that the status contained at the start of the sync. */
  readonly uncounted: { readonly succeeded: ReadonlySet<string>; readonly failed: ReadonlySet<string> };
  readonly backOff: BackOffRecord;
  succeeded: number;
  readonly failed: number;
  terminating: number;
  ready: number;
  /** The indexes that the status contains, and those that have succeeded. */
  previousIndexes: Intervals;
  succeededIndexes: Intervals;
  /** With a limit of failures per index. */
  failedIndexes?: Intervals;
  /** The last failed pod of each index whose replacement is not yet there: it keeps its finalizer until then. */
  delayedPods: ReadonlyMap<number, Pod>;
  /** How the Job ends. */
  outcome: JobCondition | undefined;
}

export type Failure = ApiError | SyncError;

/** Changes fields of the status that the sync will write. */
export function setStatus(sync: JobSync, fields: Partial<JobStatus>): void {
  sync.job = { ...sync.job, status: { ...sync.job.status, ...fields } };
}
