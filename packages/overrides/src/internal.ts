/** Exports for packages of this repository only, which depend on this exact version. Semantic versioning does not cover them. */
export type { ReviewedRequest } from './admission/read-review.ts';
export { reviewAdmissionInFull } from './admission/review.ts';
export type { JsonPatchOperation } from './overrides.ts';
export type { Manifest } from './webhook/manifests.ts';
export type { ContextLookup, WebhookObserver } from './webhook/options.ts';
