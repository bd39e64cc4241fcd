/** Fault injection, for testing clients of an API server. */
export type { BrokenConnection } from './errors.ts';
export { createFaults, type Faults, type FaultsOptions } from './faults.ts';
export type { InjectedFault } from './journal.ts';
export type { CallFault, CallScope, Fault, FaultKind, FaultRule, ResourceName, ServerFault, Span, WatchScope, When } from './rule.ts';
