/** Resyncs Services at a given time, for example when a hold set by a rule that overrides endpoints expires. */
export { overridesDueAnnotation } from '../cache/projections/service.ts';
export { createResyncScheduler, type ResyncEvent, type ResyncScheduler, type ResyncSchedulerOptions } from './scheduler.ts';
