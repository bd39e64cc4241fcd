/** Has Services synced again at a time: where rules that override endpoints let go of something. */
export { overridesDueAnnotation } from '../cache/projections/service.ts';
export { createKicker, type Kicker, type KickerOptions, type KickHappening } from './kicker.ts';
