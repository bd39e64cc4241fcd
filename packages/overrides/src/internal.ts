/** For packages of this repository only. Not covered by semantic versioning: they depend on this exact version. */
export type { ReviewedRequest } from './admission/read-review.ts';
export { reviewAdmissionInFull } from './admission/review.ts';
export type { JsonPatchOperation } from './overrides.ts';
export type { Manifest } from './webhook/manifests.ts';
export type { LookUp, WebhookObserver } from './webhook/options.ts';
