import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, internalError, type Randomness } from '../../registry/index.ts';
import { badRequest } from '../../store/index.ts';
import { denial, timedOut, WebhookCallError } from '../denial.ts';
import type { ObjectConverter } from '../object-converter.ts';
import { type CallContext, callWebhook } from './call.ts';
import { WebhookConnectionError } from './client.ts';
import type { Invocation, MatchContext } from './match.ts';
import { InvalidResponse, type Verdict, verdictOf } from './response.ts';
import { reviewOf, versionOf } from './review.ts';

/** The dependencies for calling webhooks. */
export interface WebhookContext extends MatchContext, CallContext {
  readonly converter: ObjectConverter;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** The objects of a request, converted to the version that a webhook expects. */
export interface ConvertedObjects {
  readonly object?: ApiObject;
  readonly old?: ApiObject;
}

/** Milliseconds for all webhooks of a request together: as long as the real server spends on a request. */
export const requestTimeoutMs = 34_000;

/**
 * Calls a webhook and passes its warnings on.
 *
 * Mirrors callAttrMutatingHook and callHook (1.36, apiserver/pkg/admission/plugin/webhook/{mutating,validating}).
 * @param until deadline of the request in milliseconds since the epoch
 * @throws ApiError if the webhook refuses; WebhookCallError if it cannot be called or its answer is invalid
 */
export async function callForVerdict(
  context: WebhookContext,
  { webhook, resource }: Invocation,
  request: AdmissionRequest,
  converted: ConvertedObjects,
  { mutates, until }: { readonly mutates: boolean; readonly until: number },
): Promise<Verdict> {
  const { name, sideEffects, reviewVersions, timeoutSeconds } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const version = versionOf(reviewVersions);
  if (!version) throw new WebhookCallError(name, `could not create admission objects: ${noVersion}`);
  const uid = context.randomness.uuid();
  const review = JSON.stringify(reviewOf(version, { uid, request, resource, ...converted }));
  const remaining = Math.min(timeoutSeconds * 1000, until - context.clock.now());
  const verdict = await withCallError(name, async () => {
    if (remaining <= 0) throw new WebhookConnectionError('call', 'failed to call webhook: context deadline exceeded');
    const answer = await callWebhook(context, webhook.client, review, remaining);
    return verdictOf(answer, { uid, version }, mutates);
  });
  for (const warning of verdict.warnings) request.warn?.(warning);
  if (!verdict.allowed) throw denial(name, verdict.status);
  return verdict;
}

const noVersion = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';

async function withCallError<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new WebhookCallError(name, reasonOf(error as Error), { cause: error });
  }
}

function reasonOf(error: Error): string {
  if (error instanceof InvalidResponse) return `received invalid webhook response: ${error.message}`;
  if (error instanceof WebhookConnectionError) return error.message;
  return `failed to call webhook: ${error.message}`;
}

/** The error for the client if calling a webhook failed; undefined if its failurePolicy ignores that. @throws any other error as it is */
export function failureOf(
  error: unknown,
  { webhook }: Invocation,
  { clock }: Pick<WebhookContext, 'clock'>,
  until: number,
): ApiError | undefined {
  if (!(error instanceof WebhookCallError)) throw error;
  if (!webhook.ignoresFailure) return internalError(error.message);
  return clock.now() >= until ? timedOut() : undefined;
}
