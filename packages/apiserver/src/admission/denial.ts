import { ApiError, type Status } from 'kube-endpoints/port';
import { internalError } from '../registry/index.ts';
import { failure } from '../store/errors.ts';

/** The fields of a Status that explain a refusal. */
export type DenialStatus = Partial<Omit<Status, 'kind' | 'apiVersion' | 'status'>> & { readonly status?: string };

/**
 * The error for a refusal by a webhook or an admission function.
 *
 * Mirrors ToStatusErr (1.36, apiserver/pkg/admission/plugin/webhook/errors).
 */
export function toStatusError(webhook: string, denialStatus: DenialStatus = {}): ApiError {
  const { metadata = {}, status, message, reason: statusReason, details, code = 0 } = denialStatus;
  const explanation = message || statusReason;
  const refusal = `admission webhook ${JSON.stringify(webhook)} denied the request`;
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

/** The webhook could not be called or its answer is invalid. Its failurePolicy decides whether that fails the request. */
export class WebhookCallError extends Error {
  constructor(webhook: string, reason: string, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`, options);
    this.name = 'WebhookCallError';
  }
}

/** The error for a patch in answer to a delete request, which has no object. */
export const createNotModifiableError = (webhook: string): ApiError =>
  internalError(`admission webhook ${JSON.stringify(webhook)} attempted to modify the object, which is not supported for this operation`);

export const createTimeoutError = (): ApiError => failure(504, 'Timeout', 'Timeout: request did not complete within requested timeout', {});
