/** The thin port through which everything in this package reaches a Kubernetes API, whoever serves it. */
export { type Clock, type ScheduledCall, type SteadyClock, systemClock } from './clock.ts';
export type {
  ApiObject,
  ApiObjectMeta,
  CallOptions,
  ClientPort,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchOptions,
  PatchType,
  PropagationPolicy,
  Reader,
  ResourceVersionMatch,
  Selection,
  WatchEvent,
  Watcher,
  WatchOptions,
  WriteOptions,
  Writer,
} from './port.ts';
export { apiVersionOf, type Resource, resources } from './port.ts';
export { ApiError, hasReason, type Status, type StatusCause } from './status.ts';
