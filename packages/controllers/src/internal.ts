/** Exports for the other packages of this repository only. Not covered by semantic versioning: those packages pin this exact version. */

// Imports the files, not the indexes of their folders: the command line must not load all controllers to parse its flags.
export { callWithin, pause } from './base/time.ts';
export { overridesDueAnnotation } from './cache/projections/service.ts';
export type { ControllerStats } from './controllers/controller.ts';
export type { ControllerName } from './controllers/controller-event.ts';
export { isLater } from './controllers/leftovers.ts';
export type { DnsFeed } from './dns/feed.ts';
export { jitterFactor } from './election/settings.ts';
export type { HealthOptions, HealthServer } from './operations/health.ts';
export type { LogLevel } from './operations/log/entry.ts';
export type { Tracing } from './operations/tracing.ts';
export type { ResyncEvent, ResyncScheduler } from './resync/scheduler.ts';
