import { type ApiObject, type ObjectKey, resources, type WriteOptions } from 'kube-endpoints/port';
import { aggregateMessage, bindPod, validateBinding } from '../resources/index.ts';
import { badRequest, conflict, unclassified } from '../store/index.ts';
import { callOf } from './admission.ts';
import type { Caller } from './caller.ts';
import { type AdmissionRequest, type RegistryContext, storeOf, strategyFor } from './context.ts';
import { decodeStored } from './decode.ts';
import { runSteps } from './dry-run.ts';
import { withMetadata } from './metadata.ts';
import { requireNamespace } from './namespaces.ts';

/** How a subresource is created that is no way to write the object itself. */
export type BindOptions = Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> & Caller;

/**
 * Gives a pod its node, once, and says in its conditions that it is scheduled. A uid or resourceVersion in the Binding has to be the pod's.
 *
 * Mirrors BindingREST (pkg/registry/core/pod/storage/storage.go, 1.36).
 * @returns the pod; over HTTP the answer is a Status
 */
export async function bind(context: RegistryContext, key: ObjectKey, given: ApiObject, options: BindOptions = {}): Promise<ApiObject> {
  const strategy = strategyFor(context, resources.pods);
  const request = requestOf('binding', key, { ...given, apiVersion: 'v1', kind: 'Binding' }, options);
  requireNamespace(context, resources.pods, withMetadata(given, key));
  const binding = (await context.admission.mutate?.(request)) ?? request.object;
  if (binding.metadata.name !== key.name) throw badRequest('name in URL does not match name in Binding object');
  const causes = validateBinding(binding);
  if (causes.length > 0) throw unclassified(aggregateMessage(causes));
  await context.admission.validate?.({ ...request, object: binding });
  const { uid, resourceVersion } = binding.metadata;
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const bound = (current: ApiObject): ApiObject => {
    const result = bindPod(decodeStored(strategy, current), binding, context.timestamp());
    if (result.object) return strategy.encode(result.object as unknown as ApiObject);
    if (result.causes) throw unclassified(aggregateMessage(result.causes));
    throw conflict({ ...resources.pods, plural: 'pods/binding' }, key.name, result.conflict);
  };
  const store = storeOf(context, strategy);
  return runSteps(store, options.dryRun ?? false, () => store.update(resources.pods, key, bound, preconditions));
}

/** A pod's subresource that is created, as admission sees it. */
export const requestOf = (
  subresource: string,
  key: ObjectKey,
  object: ApiObject,
  options: BindOptions,
): AdmissionRequest & { readonly object: ApiObject } => ({
  operation: 'CREATE',
  resource: resources.pods,
  subresource,
  key,
  object,
  ...callOf('CreateOptions', options),
});
