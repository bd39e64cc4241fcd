/** Resyncs Services at a given time, when a rule that overrides endpoints stops holding something. */
export { overridesDueAnnotation } from '../cache/projections/service.ts';
export { createKicker, type Kicker, type KickerOptions, type KickHappening } from './kicker.ts';
