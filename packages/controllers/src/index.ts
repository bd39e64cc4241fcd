/** The controllers around the core: caches, queue, leader election, sharding, Events. Runs on any clock and any port. */

export { type SteadyClock, systemClock } from 'kube-endpoints/port';
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
export {
  type ControllerStats,
  type Controllers,
  type ControllersOptions,
  type ControllersStats,
  createControllers,
  type Workloads,
} from './controllers/index.ts';
export { createDnsFeed, type DnsFeed, type DnsFeedOptions } from './dns/index.ts';
export {
  createLeaderElection,
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaseTimings,
  type Ownership,
  ownsAll,
  type ReplicaOptions,
} from './election/index.ts';
export { type CoreEvent, createEventRecorder, type EventOutcome, type EventRecorder, type EventRecorderOptions } from './events/index.ts';
export {
  type ChangedEvent,
  type CompleteEvent,
  createEndpointFeed,
  createFeedPicture,
  type EndpointFeed,
  type EndpointFeedOptions,
  type FeedDeparture,
  type FeedEndpoint,
  type FeedEvent,
  type FeedPicture,
  type FeedTarget,
  type FullEvent,
  type GoneEvent,
} from './feed/index.ts';
export type { ControllerName, Happening, SyncOutcome, Tell } from './happening.ts';
export { type BalancingOptions, createHost, type Host, type HostOptions, type LeaseOptions } from './host.ts';
export { createKicker, type Kicker, type KickerOptions, type KickHappening, overridesDueAnnotation } from './kick/index.ts';
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
export {
  type BalancingHappening,
  type CloudCall,
  type CloudOutcome,
  createServiceLoadBalancer,
  type ServiceLoadBalancer,
  type ServiceLoadBalancerOptions,
} from './service-lb/index.ts';
export { createSharding, type Sharding, type ShardingOptions } from './sharding/index.ts';
export { pause } from './time.ts';
