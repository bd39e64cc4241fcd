import { ApiError, type Status } from 'kube-endpoints/port';
import { internalError } from '../registry/index.ts';
import { failure } from '../store/errors.ts';

/** The fields of a Status that explain a refusal. */
export type DenialStatus = Partial<Omit<Status, 'kind' | 'apiVersion' | 'status'>> & { readonly status?: string };

/**
 * Creates the error for a refusal by a webhook or an admission function.
 *
 * Mirrors ToStatusErr (1.36, apiserver/pkg/admission/plugin/webhook/errors).
 */
export function toStatusError(webhookName: string, denialStatus: DenialStatus = {}): ApiError {
  const { metadata = {}, status, message, reason: statusReason, details, code = 0 } = denialStatus;
  const explanation = message || statusReason;
  const refusal = `admission webhook ${JSON.stringify(webhookName)} denied the request`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    // Any status of the webhook is kept, except Success.
    status: (status && status !== 'Success' ? status : 'Failure') as Status['status'],
    message: explanation ? `${refusal}: ${explanation}` : `${refusal} without explanation`,
    ...(statusReason && { reason: statusReason }),
    ...(details && { details }),
    code: code < 400 ? 400 : code,
  });
}

/** A webhook could not be called, or its answer is invalid. The webhook's failurePolicy decides whether the request fails. */
export class WebhookCallError extends Error {
  constructor(webhookName: string, reason: string, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(webhookName)}: ${reason}`, options);
    this.name = 'WebhookCallError';
  }
}

/** Creates the error for a webhook that patches a request without an object, such as a delete request. */
export const createNotModifiableError = (webhookName: string): ApiError =>
  internalError(
    `admission webhook ${JSON.stringify(webhookName)} attempted to modify the object, which is not supported for this operation`,
  );

export const createTimeoutError = (): ApiError => failure(504, 'Timeout', 'Timeout: request did not complete within requested timeout', {});
