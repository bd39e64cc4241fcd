/** Which replica acts for which Service, where several do at once. */
export { createSharding, type Sharding, type ShardingOptions, type ShardsEvent } from './sharding.ts';
