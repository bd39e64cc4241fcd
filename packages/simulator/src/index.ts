/**
 * Whether a change of a cluster drops requests, when, why, and the smallest change that prevents it.
 *
 * `checkRollout` and `checkDrain` run the cluster in virtual time with many orders of events, and report the worst run.
 */
export type { Check } from './analysis/check.ts';
export { checkDrain, type DrainOptions } from './analysis/drain.ts';
export type { Drop } from './analysis/drop.ts';
export type { Environment } from './analysis/environment.ts';
export { checkRollout, type RolloutCheck, type RolloutOptions } from './analysis/rollout.ts';
export { checkSimulation } from './analysis/simulation/simulation.ts';
export { simulatedKinds } from './analysis/world.ts';
export { delays } from './engine/delays.ts';
