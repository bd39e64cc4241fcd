/** Clouds for the service load-balancer controller: one in memory for tests, and one that forwards TCP connections in this process. */
export type { Fault } from './memory/answer.ts';
export { createMemoryCloud, type MemoryCloud, type MemoryCloudOptions, type RecordedCall } from './memory/cloud.ts';
export { createTcpCloud, type TcpBalancerView, type TcpCloud, type TcpCloudOptions } from './tcp/cloud.ts';
export type { TcpCloudEvent } from './tcp/settings.ts';
