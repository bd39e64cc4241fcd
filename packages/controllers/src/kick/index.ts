/** Resyncs Services at a given time, for example when a hold set by a rule that overrides endpoints expires. */
export { overridesDueAnnotation } from '../cache/projections/service.ts';
export { createKicker, type Kicker, type KickerOptions, type KickHappening } from './kicker.ts';
