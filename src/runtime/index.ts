/** The controllers around the core: caches, queue, leader election, sharding, Events. Runs on any clock and any port. */
export {
  type Cache,
  type CacheEvent,
  type CacheListener,
  createInformer,
  createProjections,
  type Informer,
  type InformerOptions,
  type InformerState,
  keyOf,
  type Namespace,
  type Projections,
  projectEndpoints,
  projectNamespace,
  projectNode,
  projectPod,
  projectService,
  projectSlice,
} from './cache/index.ts';
export { pause, type RuntimeClock, systemClock } from './clock.ts';
export {
  type ControllerStats,
  type Controllers,
  type ControllersOptions,
  type ControllersStats,
  createControllers,
  type Workloads,
} from './controllers/index.ts';
export {
  createLeaderElection,
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaseTimings,
  type Ownership,
  ownsAll,
} from './election/index.ts';
export {
  type CoreEvent,
  createEventRecorder,
  type EventOutcome,
  type EventRecorder,
  type EventRecorderOptions,
} from './events/index.ts';
export type { ControllerName, Happening, SyncOutcome, Tell } from './happening.ts';
export { createHost, type Host, type HostOptions, type LeaseOptions } from './host.ts';
export {
  bucketLimiter,
  createQueue,
  defaultLimiter,
  exponentialLimiter,
  type Limiter,
  maxOf,
  type Queue,
  type QueueOptions,
  runWorkers,
  type WorkersOptions,
} from './queue/index.ts';
export { createSharding, type Sharding, type ShardingOptions } from './sharding/index.ts';
