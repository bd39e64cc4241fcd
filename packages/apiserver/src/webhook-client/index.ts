/** Calls of webhooks over HTTPS, for admission and for conversions of custom resources. */
export { type CallContext, callWebhook, createCallContext } from './call.ts';
export {
  type Address,
  type ClientConfig,
  readClientConfig,
  type ServiceReference,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookClient,
  WebhookConnectionError,
} from './client.ts';
export type { ResolveService } from './resolve.ts';
export { chooseReviewVersion, parseReview, type ReviewVersion, UnreadableResponse } from './review.ts';
