/** Leader election: at most one of several replicas acts at a time. */
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions, type LeadershipEvent } from './election.ts';
export { createSingleReplica, type Ownership } from './ownership.ts';
export type { LeaseTimings } from './settings.ts';
