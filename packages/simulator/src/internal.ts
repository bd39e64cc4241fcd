/** Internals for the other packages and for conformance tests. Not covered by semantic versioning. */
export { createCache, type ObjectCache } from './controller/cache.ts';
export {
  type Cache,
  type Call,
  type Change,
  type Controller,
  type ControllerContext,
  type Effect,
  type EventEffect,
  type Queue,
  type Steps,
  SyncError,
} from './controller/controller.ts';
export { createWorkQueue, type WorkQueue } from './controller/queue.ts';
export { createWorker, type PendingCall, type Worker, type WorkerHost } from './controller/worker.ts';
export { createDeploymentController } from './workloads/deployment/controller.ts';
export { createDisruptionController } from './workloads/disruption/controller.ts';
export { createStaleDisruptionController } from './workloads/disruption/stale-pods.ts';
export { createReplicaSetController } from './workloads/replica-set/controller.ts';
export { createStatefulSetController } from './workloads/stateful-set/controller.ts';
