import type { ApiObject } from 'kube-endpoints/port';
import type { Admission, AdmissionRequest } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { beginAgain, createRounds, noteAsked, type Rounds, withObject } from './rounds.ts';
import { namespaceOf } from './rules.ts';

type Answer = ApiObject | undefined | Promise<ApiObject | undefined>;

/** Admission that supports reinvocation: it can be called again if later plugins change the object. */
export interface RoundedAdmission extends Admission {
  /** Used instead of `mutate` in both rounds. It records in `rounds` what it called. */
  mutateInRound?(request: AdmissionRequest, rounds: Rounds): Answer;
}

/**
 * Composes several admissions into one. Mutating admissions run in order, each with the object as the previous ones left it; validating
 * ones run in parallel, and the first refusal in order wins.
 *
 * Mirrors the chain of admission plugins and the reinvocation around it (1.36, apiserver/pkg/admission/{chain,reinvocation}.go).
 */
export function composeAdmission(...parts: readonly RoundedAdmission[]): Admission {
  const mutating = parts.filter(({ mutate, mutateInRound }) => mutate ?? mutateInRound);
  const validating = parts.filter((part) => part.validate);
  return {
    ...(mutating.length > 0 && { mutate: (request) => mutate(mutating, request) }),
    ...(validating.length > 0 && { validate: (request) => validate(validating, request) }),
  };
}

/** Adds `mutate` and `validate` with reinvocation, so that the admission works alone as well as composed. */
export const withRounds = (rounded: RoundedAdmission): RoundedAdmission => ({
  ...composeAdmission(rounded),
  ...rounded,
});

/** Stays synchronous as long as no admission has an answer. */
function mutate(parts: readonly RoundedAdmission[], request: AdmissionRequest): Answer {
  const rounds = createRounds();
  let asked = 0;
  for (const part of parts) {
    const answer = answerOf(part, request, rounds);
    if (answer !== undefined) return goOn(parts, asked, answer, request, rounds);
    asked += 1;
  }
  return undefined;
}

function answerOf(part: RoundedAdmission, request: AdmissionRequest, rounds: Rounds): Answer {
  if (part.mutateInRound) return part.mutateInRound(request, rounds);
  return rounds.second ? undefined : part.mutate?.(request);
}

/** Continues asynchronously after the first answer. */
async function goOn(
  parts: readonly RoundedAdmission[],
  from: number,
  answer: Answer,
  request: AdmissionRequest,
  rounds: Rounds,
): Promise<ApiObject | undefined> {
  let current = noted(parts[from] as RoundedAdmission, request, await answer, rounds);
  for (const part of parts.slice(from + 1)) current = noted(part, current, await answerOf(part, current, rounds), rounds);
  if (beginAgain(rounds)) for (const part of parts) current = noted(part, current, await answerOf(part, current, rounds), rounds);
  return current === request ? undefined : current.object;
}

function noted(part: RoundedAdmission, request: AdmissionRequest, answer: ApiObject | undefined, rounds: Rounds): AdmissionRequest {
  if (answer === undefined || request.operation === 'DELETE' || answer === request.object) return request;
  requireNamespace(request, answer);
  if (!part.mutateInRound) noteAsked(rounds, part, { changed: true, reinvocable: false });
  return withObject(request, answer);
}

/** Mirrors EnsureObjectNamespaceMatchesRequestNamespace: admission may not change the namespace of an object. */
function requireNamespace(request: AdmissionRequest, { metadata }: ApiObject): void {
  const { namespace = '' } = metadata ?? {};
  if (namespace === '' || namespace === namespaceOf(request)) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function validate(parts: readonly Admission[], request: AdmissionRequest): void | Promise<void> {
  const pending: Promise<void>[] = [];
  for (const part of parts) {
    try {
      const answer = part.validate?.(request);
      if (answer) pending.push(answer);
    } catch (error) {
      pending.push(Promise.reject(error));
    }
  }
  return pending.length > 0 ? firstRefusal(pending) : undefined;
}

async function firstRefusal(pending: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(pending)) if (outcome.status === 'rejected') throw outcome.reason;
}
