/** The controllers and their parts: caches, queue, leader election, sharding, Events. They run on any `Clock` and any `ClientPort`. */
export {
  type Cache,
  type CacheEvent,
  createInformer,
  createProjections,
  type Informer,
  type InformerOptions,
  projectService,
} from './cache/index.ts';
export {
  type Controllers,
  type ControllersOptions,
  type ControllersStats,
  createControllers,
  type Workloads,
} from './controllers/index.ts';
export { createDnsFeed } from './dns/index.ts';
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions, type Ownership } from './election/index.ts';
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from './events/index.ts';
export { createEndpointFeed, createFeedSnapshot, type EndpointFeed, type EndpointFeedOptions, type FeedEvent } from './feed/index.ts';
export {
  type BalancingOptions,
  createHost,
  type Host,
  type HostOptions,
  type LeaseOptions,
  type Observer,
  type RuntimeEvent,
} from './host/index.ts';
export { createQueue, defaultLimiter, type Limiter, type Queue, type QueueOptions, runWorkers } from './queue/index.ts';
export { createRateLimiter, type RateLimiter, type RateLimiterOptions, type RateLimitOptions, rateLimitPort } from './rate-limit/index.ts';
export { createResyncScheduler } from './resync/index.ts';
export { createServiceLoadBalancer, type ServiceLoadBalancer, type ServiceLoadBalancerOptions } from './service-lb/index.ts';
export { createSharding, type Sharding, type ShardingOptions } from './sharding/index.ts';
