/** What the sister packages of this repository share beyond the public entries. Not covered by semantic versioning: they pin this exact version. */

export { callWithin, pause } from './base/time.ts';
export { type ControllerName, type ControllerStats, isLater } from './controllers/index.ts';
export type { DnsFeed } from './dns/index.ts';
export { jitterFactor } from './election/index.ts';
export { type Kicker, type KickHappening, overridesDueAnnotation } from './kick/index.ts';
export type { HealthOptions, HealthServer } from './operations/health.ts';
export type { LogLevel } from './operations/log/entry.ts';
export type { Tracing } from './operations/tracing.ts';
