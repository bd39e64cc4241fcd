/** The storage of the embedded API server. */

export type { Clock, ScheduledCall } from 'kube-endpoints/port';
export { type Alarm, createAlarm, earliestTime, systemClock, toKeepAliveClock } from './clock.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  type FieldProblem,
  notFound,
  status500,
  tooLargeResourceVersion,
} from './errors.ts';
export { parseExactly, readNumber, stringifyExactly } from './exact-json.ts';
export { freezeLike } from './intern.ts';
export type { Journal, SavedState, SavedWrite } from './journal.ts';
export type { ListParameters } from './list-options.ts';
export { parseFieldSelector } from './selectors/field-selector.ts';
export type { SelectableFields } from './selectors/selection.ts';
export { createStore, type Store, type StoreOptions, type StoreStats, type StoreWrite } from './store.ts';
export type { WatchParameters } from './watch/plan.ts';
export type { OwnershipTransfer, Preconditions } from './write.ts';
