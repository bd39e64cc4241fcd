import type { ControllerContext, Queue } from '../../controller/controller.ts';
import type { BackOff } from '../../go/back-off.ts';
import type { ConsistencyStore } from '../consistency.ts';
import type { ExpectationCounts } from '../expectations.ts';
import type { ControllerRevision } from '../history/revision.ts';
import type { DaemonSet, Node } from './objects.ts';

/** What the controller keeps between syncs. */
export interface DaemonSetState {
  readonly context: ControllerContext;
  readonly expectations: ExpectationCounts;
  readonly consistency: ConsistencyStore;
  /** Delays the deletion of failed pods. */
  readonly failedPods: BackOff;
}

/** What a sync of a DaemonSet works on. */
export interface DaemonSetSync extends DaemonSetState {
  readonly key: string;
  readonly queue: Queue;
  readonly daemonSet: DaemonSet;
  /** The nodes at the start of the sync, in the order of their names. */
  readonly nodes: readonly Node[];
}

/** The hash of the current template, and the revisions of earlier ones. */
export interface DaemonSetHistory {
  readonly hash: string;
  readonly oldRevisions: readonly ControllerRevision[];
}
