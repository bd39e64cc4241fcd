/** Sharding: which of several active replicas owns which Service. */
export { createSharding, type Sharding, type ShardingOptions, type ShardsEvent } from './sharding.ts';
