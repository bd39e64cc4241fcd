import type { ApiObject } from 'kube-endpoints/port';
import type { Admission, AdmissionRequest } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { createReinvocationState, type ReinvocationState, recordCall, startReinvocation, withObject } from './reinvocation.ts';
import { namespaceOf } from './rules.ts';

/** The changed object; undefined if unchanged. */
type Answer = ApiObject | undefined | Promise<ApiObject | undefined>;

/** Admission that supports reinvocation: it can be called again if later plugins change the object. */
export interface ReinvocableAdmission extends Admission {
  /** Used instead of `mutate` in both rounds. It records its calls in `reinvocation`. */
  mutateReinvocably?(request: AdmissionRequest, reinvocation: ReinvocationState): Answer;
}

/**
 * Composes several admission plugins into one. Mutating plugins run in order, each with the object as the previous ones left it.
 * Validating plugins run in parallel; if several refuse, the first in order is reported.
 *
 * Mirrors the chain of admission plugins and the reinvocation around it (1.36, apiserver/pkg/admission/{chain,reinvocation}.go).
 */
export function composeAdmission(...plugins: readonly ReinvocableAdmission[]): Admission {
  const mutating = plugins.filter(({ mutate, mutateReinvocably }) => mutate ?? mutateReinvocably);
  const validating = plugins.filter((plugin) => plugin.validate);
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

/** Returns synchronously if every plugin returns undefined synchronously. */
function mutate(plugins: readonly ReinvocableAdmission[], request: AdmissionRequest): Answer {
  const reinvocation = createReinvocationState();
  let index = 0;
  for (const plugin of plugins) {
    const answer = callMutate(plugin, request, reinvocation);
    if (answer !== undefined) return mutateRemaining(plugins, index, answer, request, reinvocation);
    index += 1;
  }
  return undefined;
}

function callMutate(plugin: ReinvocableAdmission, request: AdmissionRequest, reinvocation: ReinvocationState): Answer {
  if (plugin.mutateReinvocably) return plugin.mutateReinvocably(request, reinvocation);
  return reinvocation.isReinvocation ? undefined : plugin.mutate?.(request);
}

/** Continues asynchronously with the first plugin that returned an answer. */
async function mutateRemaining(
  plugins: readonly ReinvocableAdmission[],
  firstIndex: number,
  answer: Answer,
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  let current = applyAnswer(plugins[firstIndex] as ReinvocableAdmission, request, await answer, reinvocation);
  for (const plugin of plugins.slice(firstIndex + 1))
    current = applyAnswer(plugin, current, await callMutate(plugin, current, reinvocation), reinvocation);
  if (startReinvocation(reinvocation))
    for (const plugin of plugins) current = applyAnswer(plugin, current, await callMutate(plugin, current, reinvocation), reinvocation);
  return current === request ? undefined : current.object;
}

function applyAnswer(
  plugin: ReinvocableAdmission,
  request: AdmissionRequest,
  answer: ApiObject | undefined,
  reinvocation: ReinvocationState,
): AdmissionRequest {
  if (answer === undefined || request.operation === 'DELETE' || answer === request.object) return request;
  requireSameNamespace(request, answer);
  if (!plugin.mutateReinvocably) recordCall(reinvocation, plugin, { changed: true, reinvocable: false });
  return withObject(request, answer);
}

/** Mirrors EnsureObjectNamespaceMatchesRequestNamespace: admission may not change the namespace of an object. */
function requireSameNamespace(request: AdmissionRequest, { metadata }: ApiObject): void {
  const { namespace = '' } = metadata ?? {};
  if (namespace === '' || namespace === namespaceOf(request)) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function validate(plugins: readonly Admission[], request: AdmissionRequest): void | Promise<void> {
  const validations: Promise<void>[] = [];
  for (const plugin of plugins) {
    try {
      const answer = plugin.validate?.(request);
      if (answer) validations.push(answer);
    } catch (error) {
      validations.push(Promise.reject(error));
    }
  }
  return validations.length > 0 ? throwFirstRefusal(validations) : undefined;
}

async function throwFirstRefusal(validations: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(validations)) if (outcome.status === 'rejected') throw outcome.reason;
}
