/** The controllers as a program runs them, with leader election or sharding. */
export { type BalancingOptions, createHost, type Host, type HostOptions, type LeaseOptions } from './host.ts';
export type { EventOf, Observer, RuntimeEvent } from './runtime-event.ts';
