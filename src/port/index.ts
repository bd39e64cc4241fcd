/** The small interface through which this package calls a Kubernetes API; any client or server can implement it. */
export { type Clock, type ScheduledCall, type SteadyClock, systemClock } from './clock.ts';
export {
  type ApiObject,
  type ApiObjectMeta,
  type CallOptions,
  type ClientPort,
  type DeleteOptions,
  type GetOptions,
  type ListOptions,
  type ObjectKey,
  type ObjectList,
  type PatchOptions,
  type PatchType,
  type Resource,
  resources,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from './port.ts';
export { ApiError, hasReason, type Status } from './status.ts';
