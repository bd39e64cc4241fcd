/** Everything together, as a program runs it: the controllers, with leader election or sharding. */
export { type BalancingOptions, createHost, type Host, type HostOptions, type LeaseOptions } from './host.ts';
export type { Observer, RuntimeEvent } from './runtime-event.ts';
