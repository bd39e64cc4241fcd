/** Which replica acts, where one of several does. */
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions } from './election.ts';
export { type Ownership, ownsAll } from './ownership.ts';
export type { LeaseTimings, ReplicaOptions } from './settings.ts';
