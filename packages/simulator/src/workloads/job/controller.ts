import type { Controller, ControllerContext, Queue } from '../../controller/controller.ts';
import { createConsistencyStore } from '../consistency.ts';
import { createExpectationCounts } from '../expectations.ts';
import type { JobState } from './context.ts';
import { createFinalizerExpectations } from './finalizers.ts';
import { handleJob } from './job-events.ts';
import { jobKind } from './objects.ts';
import { syncOrphans } from './orphans.ts';
import { handlePod } from './pod-events.ts';
import { syncJob } from './sync.ts';

/**
 * Creates the controller of Jobs, and the one that removes finalizers of orphaned pods, whose queue the first one fills: upstream has a queue
 * and workers for each. Mirrors pkg/controller/job of 1.36 with its default feature gates.
 */
export function createJobControllers(context: ControllerContext): readonly [Controller, Controller] {
  const state: JobState = {
    context,
    expectations: createExpectationCounts(context.now),
    finalizers: createFinalizerExpectations(),
    consistency: createConsistencyStore(context.cache),
    backOffs: new Map(),
    finished: new Set(),
  };
  let orphanQueue: Queue | undefined;
  const enqueueOrphan = (key: string): void => orphanQueue?.add(key);
  const jobs: Controller = {
    name: 'job',
    kinds: ['Pod', 'Job'],
    queueOptions,
    handle(change, queue) {
      const queues = { queue, enqueueOrphan };
      if (change.kind === jobKind.kind) handleJob(state, change, queues);
      else handlePod(state, change, queues);
    },
    sync: (key, queue) => syncJob(state, key, queue),
  };
  const orphans: Controller = {
    name: 'job-orphan-pod',
    kinds: [],
    queueOptions,
    attach(queue) {
      orphanQueue = queue;
    },
    handle: () => undefined,
    sync: (key) => syncOrphans(state, key),
  };
  return [jobs, orphans];
}

const queueOptions = { minBackoff: 1000, maxBackoff: 60_000, isLimited: false };
