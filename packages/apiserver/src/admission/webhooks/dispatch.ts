import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, internalError, type Randomness } from '../../registry/index.ts';
import { badRequest, stringifyExactly } from '../../store/index.ts';
import { createTimeoutError, toStatusError, WebhookCallError } from '../denial.ts';
import type { ObjectConverter } from '../object-converter.ts';
import { type CallContext, callWebhook } from './call.ts';
import { WebhookConnectionError } from './client.ts';
import type { Invocation, MatchContext } from './match.ts';
import { InvalidResponse, parseVerdict, type Verdict } from './response.ts';
import { chooseReviewVersion, createReview } from './review.ts';

export interface WebhookContext extends MatchContext, CallContext {
  readonly converter: ObjectConverter;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** The objects of a request, converted to the version that a webhook expects. */
export interface ConvertedObjects {
  readonly object?: ApiObject;
  readonly old?: ApiObject;
}

/** Timeout of a request, shared by all its webhooks. Mirrors requestTimeoutUpperBound (1.36, apiserver/pkg/endpoints/handlers). */
export const requestTimeoutMs = 34_000;

/**
 * Calls a webhook, passes the warnings of the answer to `request.warn` and returns the verdict.
 *
 * Mirrors callAttrMutatingHook and callHook (1.36, apiserver/pkg/admission/plugin/webhook/{mutating,validating}).
 * @param deadlineMs deadline of the request in milliseconds since the epoch
 * @throws ApiError if the webhook refuses or does not support dry run; WebhookCallError if it cannot be called or its answer is invalid
 */
export async function callForVerdict(
  context: WebhookContext,
  { webhook, resource }: Invocation,
  request: AdmissionRequest,
  convertedObjects: ConvertedObjects,
  { mutates, deadlineMs }: { readonly mutates: boolean; readonly deadlineMs: number },
): Promise<Verdict> {
  const { name, sideEffects, reviewVersions, timeoutSeconds } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const version = chooseReviewVersion(reviewVersions);
  if (!version) throw new WebhookCallError(name, `could not create admission objects: ${noVersionMessage}`);
  const uid = context.randomness.uuid();
  const review = stringifyExactly(createReview(version, { uid, request, resource, ...convertedObjects }));
  const remainingMs = Math.min(timeoutSeconds * 1000, deadlineMs - context.clock.now());
  const verdict = await rethrowAsCallError(name, async () => {
    if (remainingMs <= 0) throw new WebhookConnectionError('call', 'failed to call webhook: context deadline exceeded');
    const answer = await callWebhook(context, webhook.client, review, remainingMs);
    return parseVerdict(answer, { uid, version }, mutates);
  });
  for (const warning of verdict.warnings) request.warn?.(warning);
  if (!verdict.allowed) throw toStatusError(name, verdict.status);
  return verdict;
}

const noVersionMessage = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';

async function rethrowAsCallError<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new WebhookCallError(name, reasonOf(error as Error), { cause: error });
  }
}

function reasonOf(error: Error): string {
  if (error instanceof InvalidResponse) return `received invalid webhook response: ${error.message}`;
  if (error instanceof WebhookConnectionError) return error.message;
  return `failed to call webhook: ${error.message}`;
}

/**
 * Converts the error of a webhook call to the client's error; returns undefined if failurePolicy is Ignore and the request's deadline has not passed. Rethrows
 * errors other than WebhookCallError.
 */
export function toClientError(
  error: unknown,
  { webhook }: Invocation,
  { clock }: Pick<WebhookContext, 'clock'>,
  deadlineMs: number,
): ApiError | undefined {
  if (!(error instanceof WebhookCallError)) throw error;
  if (!webhook.ignoresFailure) return internalError(error.message);
  return clock.now() >= deadlineMs ? createTimeoutError() : undefined;
}
