/** Which replica acts, where one of several does. */
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions, type LeadershipEvent } from './election.ts';
export { createAlone, type Ownership, ownsAll } from './ownership.ts';
export type { LeaseTimings, ReplicaOptions } from './settings.ts';
