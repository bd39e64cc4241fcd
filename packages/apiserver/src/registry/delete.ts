import { type ApiObject, type DeleteOptions, hasReason, type ListOptions, type ObjectKey, type ObjectList } from 'kube-endpoints/port';
import { admitDeletion, createDeleteAttributes } from './admission.ts';
import type { Caller } from './caller.ts';
import { lookUp, type RegistryContext, requireStored, runSteps, storeOf } from './context.ts';
import { decideDeletion, markAsDeleting, updateGarbageCollectionFinalizers } from './deletion.ts';
import { withMetadata } from './metadata.ts';
import { checkIfTerminating, isNamespaceStrategy, terminateNamespace } from './namespaces.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';

/** The result of a deletion: the updated object, or the last state of a removed object. */
export interface DeleteResult {
  readonly object: ApiObject;
  readonly isRemoved: boolean;
}

export type RemoveOptions = DeleteOptions & Caller;

/**
 * Deletes an object or marks it for deletion.
 *
 * Mirrors Store.Delete (1.36, apiserver/pkg/registry/generic/registry/store.go): an object with a grace period or finalizers is updated
 * first, and watches see that update even if the object is removed right after.
 * @param admissionKey the key in the admission request; its name is empty if a collection is deleted
 */
export async function remove(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  options: RemoveOptions = {},
  admissionKey: ObjectKey = key,
): Promise<DeleteResult> {
  const { resource } = strategy;
  const { dryRun = false } = options;
  const old = await context.conversions.run(() => requireStored(context, strategy, key));
  if (checkPending(context, strategy, old, options)) {
    await context.store.waitUntilSaved();
    return decorate(strategy, { object: old, isRemoved: false });
  }
  if (context.admission.mutate || context.admission.validate) {
    await admitDeletion(context, { operation: 'DELETE', resource, key: admissionKey, old, ...createDeleteAttributes(options) });
  }
  const deleteResult = await context.conversions.run(() =>
    runSteps(context.store, dryRun, () => {
      const terminatingNamespace = terminateNamespace(context, strategy, key, options);
      return terminatingNamespace ? { object: terminatingNamespace, isRemoved: false } : removeOrMark(context, strategy, key, options);
    }),
  );
  if (deleteResult.isRemoved && !dryRun) deleteDependents(context, strategy, deleteResult.object);
  const saving = context.store.waitUntilSaved();
  if (saving) await saving;
  if (deleteResult.isRemoved && !dryRun) strategy.releaseAllocations?.(deleteResult.object);
  return decorate(strategy, dryRun ? toDryRunResult(deleteResult, old) : deleteResult);
}

/** Deletes the selected objects one by one; objects already gone are skipped. Mirrors Store.DeleteCollection. */
export async function removeCollection(
  context: RegistryContext,
  strategy: ResourceStrategy,
  selection: ListOptions,
  options: RemoveOptions = {},
): Promise<ObjectList> {
  const list = await context.conversions.run(() => storeOf(context, strategy).list(strategy.resource, selection));
  const admissionKey = { ...(selection.namespace && { namespace: selection.namespace }), name: '' };
  for (const { metadata } of list.items) {
    options.signal?.throwIfAborted();
    const { namespace, name = '' } = metadata;
    try {
      await remove(context, strategy, { ...(namespace !== undefined && { namespace }), name }, options, admissionKey);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
  return list;
}

/** Deletes the dependent objects of the same name as a removed object. */
export function deleteDependents(context: RegistryContext, strategy: ResourceStrategy, object: ApiObject): void {
  const { namespace, name = '' } = object.metadata;
  const key = { ...(namespace !== undefined && { namespace }), name };
  for (const resource of strategy.dependentResources ?? []) {
    const dependentStrategy = context.strategies.get(idOf(resource));
    if (dependentStrategy && lookUp(context, dependentStrategy, key)) removeOrMark(context, dependentStrategy, key, {});
  }
}

/** True if an earlier deletion is pending and this one changes nothing. @throws ApiError if a precondition fails */
function checkPending({ clock }: RegistryContext, strategy: ResourceStrategy, old: ApiObject, options: DeleteOptions): boolean {
  return isNamespaceStrategy(strategy)
    ? checkIfTerminating(old, options)
    : decideDeletion(strategy, old, options, clock.now()).kind === 'pending';
}

/** A dry run returns the old resourceVersion, because nothing is stored. */
const toDryRunResult = ({ object, isRemoved }: DeleteResult, { metadata }: ApiObject): DeleteResult => ({
  object: withMetadata(object, { resourceVersion: metadata.resourceVersion }),
  isRemoved,
});

const decorate = ({ decorate }: ResourceStrategy, deleteResult: DeleteResult): DeleteResult =>
  decorate ? { ...deleteResult, object: decorate(deleteResult.object) } : deleteResult;

/** Removes the object, or only marks it for deletion if a grace period or finalizers delay the removal. */
function removeOrMark(context: RegistryContext, strategy: ResourceStrategy, key: ObjectKey, options: DeleteOptions): DeleteResult {
  const store = storeOf(context, strategy);
  const { resource } = strategy;
  const { preconditions = {} } = options;
  const current = requireStored(context, strategy, key);
  const now = context.clock.now();
  const decision = decideDeletion(strategy, current, options, now);
  if (decision.kind === 'pending') return { object: current, isRemoved: false };
  const updated = updateGarbageCollectionFinalizers(strategy, decision.kind === 'later' ? decision.object : current, options);
  const hasFinalizers = (updated.metadata.finalizers?.length ?? 0) > 0;
  if (decision.kind === 'now' && !hasFinalizers) return { object: store.delete(resource, key, preconditions), isRemoved: true };
  const stored = decision.kind === 'now' ? markAsDeleting(updated, now) : updated;
  const object = store.update(resource, key, () => stored, preconditions);
  if (hasFinalizers || (decision.kind === 'later' && decision.periodSeconds > 0)) return { object, isRemoved: false };
  const { uid } = preconditions;
  return { object: store.delete(resource, key, uid === undefined ? {} : { uid }), isRemoved: true };
}
