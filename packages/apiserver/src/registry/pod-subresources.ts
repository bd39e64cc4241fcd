import type { PropagationPolicy } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type DeleteOptions, type ObjectKey, resources, type WriteOptions } from 'kube-endpoints/port';
import { aggregateMessage, bindPod, validateBinding } from '../resources/index.ts';
import { badRequest, conflict, status500 } from '../store/index.ts';
import { createWriteAttributes } from './admission.ts';
import type { Caller } from './caller.ts';
import { type Condition, setCondition } from './conditions.ts';
import { type AdmissionRequest, type RegistryContext, runSteps, storeOf, strategyFor } from './context.ts';
import { decodeStored } from './decode.ts';
import { type DeleteResult, remove } from './delete.ts';
import { chargeDisruptionBudget } from './disruption-budgets.ts';
import { withMetadata } from './metadata.ts';
import { requireNamespace } from './namespaces.ts';

/** Options of the create subresources `binding` and `eviction`. */
export type PodSubresourceOptions = Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> & Caller;

/**
 * Binds a pod to a node, once, and sets its PodScheduled condition. A uid or resourceVersion in the Binding must match the pod.
 *
 * Mirrors BindingREST (pkg/registry/core/pod/storage/storage.go, 1.36).
 * @returns the pod; over HTTP the answer is a Status
 */
export async function bind(
  context: RegistryContext,
  key: ObjectKey,
  body: ApiObject,
  options: PodSubresourceOptions = {},
): Promise<ApiObject> {
  const strategy = strategyFor(context, resources.pods);
  const request = createAdmissionRequest('binding', key, { ...body, apiVersion: 'v1', kind: 'Binding' }, options);
  requireNamespace(context, resources.pods, withMetadata(body, key));
  const binding = (await context.admission.mutate?.(request)) ?? request.object;
  if (binding.metadata.name !== key.name) throw badRequest('name in URL does not match name in Binding object');
  const causes = validateBinding(binding);
  if (causes.length > 0) throw status500(aggregateMessage(causes));
  await context.admission.validate?.({ ...request, object: binding });
  const { uid, resourceVersion } = binding.metadata;
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const applyBinding = (current: ApiObject): ApiObject => {
    const result = bindPod(decodeStored(strategy, current), binding, context.timestamp());
    if (result.object) return strategy.encode(result.object as unknown as ApiObject);
    if (result.causes) throw status500(aggregateMessage(result.causes));
    throw conflict({ ...resources.pods, plural: 'pods/binding' }, key.name, result.conflict);
  };
  const store = storeOf(context, strategy);
  const pod = runSteps(store, options.dryRun ?? false, () => store.update(resources.pods, key, applyBinding, preconditions));
  const saving = context.store.waitUntilSaved();
  if (saving) await saving;
  return pod;
}

export const createAdmissionRequest = (
  subresource: string,
  key: ObjectKey,
  object: ApiObject,
  options: PodSubresourceOptions,
): AdmissionRequest & { readonly object: ApiObject } => ({
  operation: 'CREATE',
  resource: resources.pods,
  subresource,
  key,
  object,
  ...createWriteAttributes('CreateOptions', options),
});

/** The fields of `policy/v1`'s Eviction that are used. */
interface Eviction extends ApiObject {
  readonly deleteOptions?: {
    readonly dryRun?: readonly string[];
    readonly gracePeriodSeconds?: number;
    readonly propagationPolicy?: PropagationPolicy;
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  };
}

/**
 * Evicts a pod if its PodDisruptionBudget allows it: sets its DisruptionTarget condition, then deletes it.
 *
 * Mirrors EvictionREST (pkg/registry/core/pod/storage/eviction.go, 1.36).
 * @returns the pod; over HTTP the answer is a Status
 */
export async function evict(
  context: RegistryContext,
  key: ObjectKey,
  body: ApiObject,
  options: PodSubresourceOptions = {},
): Promise<DeleteResult> {
  const request = createAdmissionRequest('eviction', key, { ...body, apiVersion: 'policy/v1', kind: 'Eviction' }, options);
  requireNamespace(context, resources.pods, withMetadata(body, key));
  const eviction = ((await context.admission.mutate?.(request)) ?? request.object) as Eviction;
  if (eviction.metadata.name !== key.name) throw badRequest('name in URL does not match name in Eviction object');
  const deleteOptions = deleteOptionsOf(eviction, options.dryRun ?? false);
  await context.admission.validate?.({ ...request, object: eviction });
  const strategy = strategyFor(context, resources.pods);
  chargeDisruptionBudget(context, storeOf(context, strategy).get(resources.pods, key), deleteOptions.dryRun ?? false);
  const markedPod = deleteOptions.dryRun ? undefined : addDisruptionTarget(context, key, deleteOptions);
  // Adding the condition changed the resourceVersion that the precondition requires.
  const resourceVersion = deleteOptions.preconditions?.resourceVersion && markedPod?.metadata.resourceVersion;
  const preconditions = { ...deleteOptions.preconditions, ...(resourceVersion && { resourceVersion }) };
  // The server itself deletes the pod, so admission is skipped.
  return remove({ ...context, admission: {} }, strategy, key, { ...deleteOptions, preconditions });
}

function deleteOptionsOf({ deleteOptions = {} }: Eviction, dryRun: boolean): DeleteOptions {
  const { dryRun: bodyDryRun = [], gracePeriodSeconds, propagationPolicy, preconditions } = deleteOptions;
  if (dryRun && bodyDryRun.length > 0 && bodyDryRun.join() !== 'All') {
    throw status500(`Non-matching dry-run options in request and content: [All] and [${bodyDryRun.join(' ')}]`);
  }
  return {
    dryRun: dryRun || bodyDryRun.length > 0,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(preconditions && { preconditions }),
  };
}

/** Sets the DisruptionTarget condition of a pod. Mirrors addConditionAndDeletePod, except for the deletion. */
function addDisruptionTarget(context: RegistryContext, key: ObjectKey, { preconditions = {} }: DeleteOptions): ApiObject {
  const strategy = strategyFor(context, resources.pods);
  return storeOf(context, strategy).update(resources.pods, key, (stored) => {
    requirePreconditions(stored, preconditions);
    const pod = decodeStored(strategy, stored);
    const status = (pod['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
    const conditions = setCondition(status.conditions ?? [], { ...disruptionTarget, lastTransitionTime: context.timestamp() });
    return strategy.encode({ ...pod, status: { ...status, conditions } });
  });
}

const disruptionTarget = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };

function requirePreconditions({ metadata }: ApiObject, { uid, resourceVersion }: NonNullable<DeleteOptions['preconditions']>): void {
  const refuse = (field: string, required: string, actual = '', hint = ''): never => {
    const problem = `the ${field} in the precondition (${required}) does not match the ${field} in record (${actual}). ${hint}`;
    throw conflict({ ...resources.pods, plural: 'Pod' }, metadata.name ?? '', problem);
  };
  if (uid && uid !== metadata.uid) refuse('UID', uid, metadata.uid, 'The object might have been deleted and then recreated');
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion, 'The object might have been modified');
  }
}
