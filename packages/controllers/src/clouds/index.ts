/** Clouds for the service load-balancer controller: one in memory for tests, one that forwards TCP in Node's own process. */

export type { CloudCall, CloudVerb, Fault, FaultName } from './memory/answer.ts';
export type { HeldBalancer } from './memory/balancers.ts';
export { createMemoryCloud, type MemoryCloud, type MemoryCloudOptions, type RecordedCall } from './memory/cloud.ts';
export type { NodeView } from './tcp/balancer.ts';
export { createTcpCloud, type TcpBalancerView, type TcpCloud, type TcpCloudOptions } from './tcp/cloud.ts';
export type { Refused, TcpHappening, TcpSettings } from './tcp/settings.ts';
