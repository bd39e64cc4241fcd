import type { ApiObject } from 'kube-endpoints/port';
import type { Admission, AdmissionRequest } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { createReinvocationState, type ReinvocationState, recordCall, startReinvocation, withObject } from './reinvocation.ts';
import { namespaceOf } from './rules.ts';

type Answer = ApiObject | undefined | Promise<ApiObject | undefined>;

/** Admission that supports reinvocation: it can be called again if later plugins change the object. */
export interface ReinvocableAdmission extends Admission {
  /** Used instead of `mutate` in both rounds. It records its calls in `reinvocation`. */
  mutateReinvocably?(request: AdmissionRequest, reinvocation: ReinvocationState): Answer;
}

/**
 * Composes several admissions into one. Mutating admissions run in order, each with the object as the previous ones left it; validating
 * ones run in parallel, and the first refusal in order wins.
 *
 * Mirrors the chain of admission plugins and the reinvocation around it (1.36, apiserver/pkg/admission/{chain,reinvocation}.go).
 */
export function composeAdmission(...parts: readonly ReinvocableAdmission[]): Admission {
  const mutating = parts.filter(({ mutate, mutateReinvocably }) => mutate ?? mutateReinvocably);
  const validating = parts.filter((part) => part.validate);
  return {
    ...(mutating.length > 0 && { mutate: (request) => mutate(mutating, request) }),
    ...(validating.length > 0 && { validate: (request) => validate(validating, request) }),
  };
}

/** Adds `mutate` and `validate` with reinvocation, so that the admission works alone as well as composed. */
export const withReinvocation = (admission: ReinvocableAdmission): ReinvocableAdmission => ({
  ...composeAdmission(admission),
  ...admission,
});

/** Stays synchronous as long as no admission has an answer. */
function mutate(parts: readonly ReinvocableAdmission[], request: AdmissionRequest): Answer {
  const reinvocation = createReinvocationState();
  let index = 0;
  for (const part of parts) {
    const answer = callMutate(part, request, reinvocation);
    if (answer !== undefined) return mutateRemaining(parts, index, answer, request, reinvocation);
    index += 1;
  }
  return undefined;
}

function callMutate(part: ReinvocableAdmission, request: AdmissionRequest, reinvocation: ReinvocationState): Answer {
  if (part.mutateReinvocably) return part.mutateReinvocably(request, reinvocation);
  return reinvocation.isReinvocation ? undefined : part.mutate?.(request);
}

/** Continues asynchronously after the first answer. */
async function mutateRemaining(
  parts: readonly ReinvocableAdmission[],
  from: number,
  answer: Answer,
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  let current = applyAnswer(parts[from] as ReinvocableAdmission, request, await answer, reinvocation);
  for (const part of parts.slice(from + 1))
    current = applyAnswer(part, current, await callMutate(part, current, reinvocation), reinvocation);
  if (startReinvocation(reinvocation))
    for (const part of parts) current = applyAnswer(part, current, await callMutate(part, current, reinvocation), reinvocation);
  return current === request ? undefined : current.object;
}

function applyAnswer(
  part: ReinvocableAdmission,
  request: AdmissionRequest,
  answer: ApiObject | undefined,
  reinvocation: ReinvocationState,
): AdmissionRequest {
  if (answer === undefined || request.operation === 'DELETE' || answer === request.object) return request;
  requireNamespace(request, answer);
  if (!part.mutateReinvocably) recordCall(reinvocation, part, { changed: true, reinvocable: false });
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
