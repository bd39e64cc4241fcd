import type { Node, Service } from 'kube-endpoints/types';
import type { Cache } from '../cache/cache.ts';
import type { EventRecorder } from '../events/index.ts';
import type { Executor } from './executor.ts';
import type { Membership } from './membership.ts';
import type { SliceIndex } from './object-events.ts';
import type { Setup } from './options.ts';
import type { WriteExpectations } from './write-expectations.ts';

/** Dependencies that the sync handlers of the controllers share. */
export interface SyncContext {
  readonly setup: Setup;
  readonly services: Cache<Service>;
  readonly membership: Membership;
  readonly executor: Executor;
  readonly expectations: WriteExpectations;
  /** Undefined in a dry run. */
  readonly recorder: Pick<EventRecorder, 'record'> | undefined;
  /** Queues a Service whose objects another client has written. */
  readonly enqueueLater: (key: string) => void;
}

/** What writing slices requires. */
export interface SliceWriteContext extends Pick<SyncContext, 'executor' | 'expectations'> {
  readonly slices: SliceIndex;
}

export interface SlicesSyncContext extends SyncContext, SliceWriteContext {
  /** Returns all nodes; the same array until a node changes. */
  readonly getNodes: () => readonly Node[];
}

/**
 * Milliseconds that a Service waits after another client has written its objects, to collect further changes. The minimum mirrors
 * endpointSliceChangeMinSyncDelay (Kubernetes 1.36, pkg/controller/endpointslice/endpointslice_controller.go).
 */
export const externalChangeDelayMs = ({ batchPeriod }: Pick<Setup, 'batchPeriod'>): number => Math.max(1000, batchPeriod);
