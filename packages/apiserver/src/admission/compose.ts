import type { ApiObject } from 'kube-endpoints/port';
import type { Admission, AdmissionRequest } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { createReinvocationState, type ReinvocationState, recordCall, startReinvocation, withObject } from './reinvocation.ts';
import { namespaceOf } from './rules.ts';

/** The changed object; undefined if the plugin changes nothing. */
type MutationResult = ApiObject | undefined | Promise<ApiObject | undefined>;

/** An admission plugin that can be called again if later plugins change the object. */
export interface ReinvocableAdmission extends Admission {
  /** Used instead of `mutate` in both rounds. The plugin records its calls in `reinvocation`. */
  mutateReinvocably?(request: AdmissionRequest, reinvocation: ReinvocationState): MutationResult;
}

/**
 * Composes several admission plugins into one. Mutating plugins run in order, each with the object as the previous ones left it.
 * Validating plugins run in parallel; if several refuse, the first in order is reported.
 *
 * Mirrors the chain of admission plugins and the reinvocation around it (1.36, apiserver/pkg/admission/{chain,reinvocation}.go).
 */
export function composeAdmission(...plugins: readonly ReinvocableAdmission[]): Admission {
  const mutatingPlugins = plugins.filter(({ mutate, mutateReinvocably }) => mutate ?? mutateReinvocably);
  const validatingPlugins = plugins.filter((plugin) => plugin.validate);
  return {
    ...(mutatingPlugins.length > 0 && { mutate: (request) => mutate(mutatingPlugins, request) }),
    ...(validatingPlugins.length > 0 && { validate: (request) => validate(validatingPlugins, request) }),
  };
}

/** Combines two plugins: `second` mutates after `first`, and validates only if `first` does not refuse. */
export const composeInOrder = (first: ReinvocableAdmission, second: ReinvocableAdmission): readonly ReinvocableAdmission[] => [
  { ...first, validate() {} },
  {
    ...second,
    validate(request) {
      const answer = first.validate?.(request);
      return answer ? answer.then(() => second.validate?.(request)) : second.validate?.(request);
    },
  },
];

/** Adds a `mutate` that calls `mutateReinvocably` in both rounds, so that the admission also works without `composeAdmission`. */
export const withReinvocation = (admission: ReinvocableAdmission): ReinvocableAdmission => ({
  ...composeAdmission(admission),
  ...admission,
});

/** Calls the plugins in order, synchronously until one returns an answer. Returns undefined if no plugin returns one. */
function mutate(plugins: readonly ReinvocableAdmission[], request: AdmissionRequest): MutationResult {
  const reinvocation = createReinvocationState();
  let index = 0;
  for (const plugin of plugins) {
    const answer = callMutate(plugin, request, reinvocation);
    if (answer !== undefined) return mutateRemaining(plugins, index, answer, request, reinvocation);
    index += 1;
  }
  return undefined;
}

function callMutate(plugin: ReinvocableAdmission, request: AdmissionRequest, reinvocation: ReinvocationState): MutationResult {
  if (plugin.mutateReinvocably) return plugin.mutateReinvocably(request, reinvocation);
  return reinvocation.isReinvocation ? undefined : plugin.mutate?.(request);
}

/**
 * Applies the answer of the plugin at `firstIndex` and calls the plugins after it. If a call must be repeated, calls all plugins in a second
 * round.
 */
async function mutateRemaining(
  plugins: readonly ReinvocableAdmission[],
  firstIndex: number,
  answer: MutationResult,
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  let currentRequest = applyAnswer(plugins[firstIndex] as ReinvocableAdmission, request, await answer, reinvocation);
  for (const plugin of plugins.slice(firstIndex + 1))
    currentRequest = applyAnswer(plugin, currentRequest, await callMutate(plugin, currentRequest, reinvocation), reinvocation);
  if (startReinvocation(reinvocation))
    for (const plugin of plugins)
      currentRequest = applyAnswer(plugin, currentRequest, await callMutate(plugin, currentRequest, reinvocation), reinvocation);
  return currentRequest === request ? undefined : currentRequest.object;
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
