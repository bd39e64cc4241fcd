import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { type AdmissionRequest, internalError, type Randomness } from '../../registry/index.ts';
import { badRequest } from '../../store/index.ts';
import { CallingFailed, denial, timedOut } from '../denial.ts';
import type { Forms } from '../forms.ts';
import { type Calling, callWebhook } from './call.ts';
import { CallBroken } from './client.ts';
import type { Invocation, Matching } from './match.ts';
import { InvalidResponse, type Verdict, verdictOf } from './response.ts';
import { reviewOf, versionOf } from './review.ts';

/** The dependencies for calling webhooks. */
export interface Asking extends Matching, Calling {
  readonly forms: Forms;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** The objects of a request, converted to the version that a webhook expects. */
export interface Seen {
  readonly object?: ApiObject;
  readonly old?: ApiObject;
}

/** Milliseconds for all webhooks of a request together: as long as the real server spends on a request. */
export const requestTimeout = 34_000;

/**
 * Calls a webhook and passes its warnings on.
 *
 * Mirrors callAttrMutatingHook and callHook (1.36, apiserver/pkg/admission/plugin/webhook/{mutating,validating}).
 * @param until deadline of the request in milliseconds since the epoch
 * @throws ApiError if the webhook refuses; CallingFailed if it cannot be called or its answer is invalid
 */
export async function ask(
  asking: Asking,
  { webhook, resource }: Invocation,
  request: AdmissionRequest,
  seen: Seen,
  { mutates, until }: { readonly mutates: boolean; readonly until: number },
): Promise<Verdict> {
  const { name, sideEffects, reviewVersions, timeoutSeconds } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const version = versionOf(reviewVersions);
  if (!version) throw new CallingFailed(name, `could not create admission objects: ${noVersion}`);
  const uid = asking.randomness.uuid();
  const review = JSON.stringify(reviewOf(version, { uid, request, resource, ...seen }));
  const remaining = Math.min(timeoutSeconds * 1000, until - asking.clock.now());
  const verdict = await explained(name, async () => {
    if (remaining <= 0) throw new CallBroken('call', 'failed to call webhook: context deadline exceeded');
    const answer = await callWebhook(asking, webhook.client, review, remaining);
    return verdictOf(answer, { uid, version }, mutates);
  });
  for (const warning of verdict.warnings) request.warn?.(warning);
  if (!verdict.allowed) throw denial(name, verdict.status);
  return verdict;
}

const noVersion = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';

async function explained<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new CallingFailed(name, reasonOf(error as Error), { cause: error });
  }
}

function reasonOf(error: Error): string {
  if (error instanceof InvalidResponse) return `received invalid webhook response: ${error.message}`;
  if (error instanceof CallBroken) return error.message;
  return `failed to call webhook: ${error.message}`;
}

/** The error for the client if calling a webhook failed; undefined if its failurePolicy ignores that. @throws any other error as it is */
export function failureOf(error: unknown, { webhook }: Invocation, { clock }: Pick<Asking, 'clock'>, until: number): ApiError | undefined {
  if (!(error instanceof CallingFailed)) throw error;
  if (!webhook.ignoresFailure) return internalError(error.message);
  return clock.now() >= until ? timedOut() : undefined;
}
