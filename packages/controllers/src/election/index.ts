/** Which replica acts, where one of several does. */
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions, type LeadershipEvent } from './election.ts';
export { createAlone, type Ownership } from './ownership.ts';
export type { LeaseTimings } from './settings.ts';
