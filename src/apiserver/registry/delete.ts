import { type ApiObject, type DeleteOptions, hasReason, type ListOptions, type ObjectKey, type ObjectList } from '../../port/index.ts';
import { idOf, lookUp, type RegistryContext } from './context.ts';
import { beforeDelete, markedAsDeleting, withFinalizersOf } from './deletion.ts';
import { runSteps } from './dry-run.ts';
import { terminateNamespace } from './namespaces.ts';
import type { ResourceStrategy } from './strategy.ts';

/** What a deletion answers: the object as it is from now on or, where it is gone, as it was. */
export interface Deleted {
  readonly object: ApiObject;
  readonly gone: boolean;
}

/**
 * Deletes an object, or begins to.
 *
 * Mirrors Store.Delete (1.36, apiserver/pkg/registry/generic/registry/store.go): an object that has to wait is updated first, and
 * that update is seen by watches even where the object goes right after.
 */
export async function remove(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  options: DeleteOptions = {},
): Promise<Deleted> {
  const { resource } = strategy;
  const { dryRun = false } = options;
  const old = context.store.get(resource, key);
  await context.admission.validate?.({ operation: 'DELETE', resource, key, old, dryRun });
  const deleted = runSteps(context.store, dryRun, () => {
    const terminating = terminateNamespace(context, strategy, key, options);
    return terminating ? { object: terminating, gone: false } : removeNow(context, strategy, key, options);
  });
  if (deleted.gone && !dryRun) afterDelete(context, strategy, deleted.object);
  return strategy.decorate ? { ...deleted, object: strategy.decorate(deleted.object) } : deleted;
}

/** Deletes what is selected, one object after the other. What is gone by then is no failure. Mirrors Store.DeleteCollection. */
export async function removeCollection(
  context: RegistryContext,
  strategy: ResourceStrategy,
  selection: ListOptions,
  options: DeleteOptions = {},
): Promise<ObjectList> {
  const list = context.store.list(strategy.resource, selection);
  for (const { metadata } of list.items) {
    options.signal?.throwIfAborted();
    const { namespace, name = '' } = metadata;
    try {
      await remove(context, strategy, { ...(namespace !== undefined && { namespace }), name }, options);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
  return list;
}

/** What follows once an object is gone: what it had is given back, and objects that are nothing without it go too. */
export function afterDelete(context: RegistryContext, strategy: ResourceStrategy, object: ApiObject): void {
  strategy.released?.(object);
  const { namespace, name = '' } = object.metadata;
  const key = { ...(namespace !== undefined && { namespace }), name };
  for (const resource of strategy.alsoDeletes ?? []) {
    const other = context.strategies.get(idOf(resource));
    if (other && lookUp(context, resource, key)) removeNow(context, other, key, {});
  }
}

function removeNow(context: RegistryContext, strategy: ResourceStrategy, key: ObjectKey, options: DeleteOptions): Deleted {
  const { store, clock } = context;
  const { resource } = strategy;
  const { preconditions = {} } = options;
  const current = store.get(resource, key);
  const graceful = beforeDelete(strategy, current, options, clock.now());
  if (graceful.kind === 'pending') return { object: current, gone: false };
  const next = withFinalizersOf(strategy, graceful.kind === 'later' ? graceful.object : current, options);
  const waits = (next.metadata.finalizers?.length ?? 0) > 0;
  if (graceful.kind === 'now' && !waits) return { object: store.delete(resource, key, preconditions), gone: true };
  const stored = graceful.kind === 'now' ? markedAsDeleting(next, clock.now()) : next;
  const object = store.update(resource, key, () => stored, preconditions);
  if (waits || (graceful.kind === 'later' && graceful.period > 0)) return { object, gone: false };
  const { uid } = preconditions;
  return { object: store.delete(resource, key, uid === undefined ? {} : { uid }), gone: true };
}
