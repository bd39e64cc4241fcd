import type { ApiObject } from 'kube-endpoints/port';
import type { Registry, ResourceStrategy } from '../../registry/index.ts';
import { definitionConditions, isSameCondition, withCondition } from '../definition/conditions.ts';
import { cleanupFinalizer, conditionOf, type Definition, isConditionTrue } from '../definition/definition.ts';
import { storageStrategyOf } from './serving.ts';

export interface FinalizeContext {
  readonly registry: Registry;
  /** Writes the status and finalizers of a definition. */
  write(definition: Definition): Promise<void>;
  getTimestamp(): string;
  /** Whether the definition has the same group and plural as a built-in resource. */
  readonly overlapsBuiltInResource: boolean;
}

/** Whether a definition is being deleted and waits for its objects. */
export const isFinalizing = ({ metadata }: Definition): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true;

/**
 * Deletes the objects of a definition that is being deleted, and then removes the cleanup finalizer of the definition. If the definition
 * overlaps a built-in resource or was never established, only removes the finalizer. Mirrors CRDFinalizer
 * (apiextensions-apiserver/pkg/controller/finalizer, 1.36), without its timeout of one minute.
 */
export async function finalizeDefinition(definition: Definition, context: FinalizeContext): Promise<void> {
  const { registry, write, getTimestamp, overlapsBuiltInResource } = context;
  if (overlapsBuiltInResource)
    return write(removeCleanupFinalizer(withCondition(definition, definitionConditions.overlapping, getTimestamp())));
  if (!isConditionTrue(definition, 'Established'))
    return write(removeCleanupFinalizer(withCondition(definition, definitionConditions.neverEstablished, getTimestamp())));
  if (!isSameCondition(conditionOf(definition, 'Terminating'), definitionConditions.deletionInProgress)) {
    await write(withCondition(definition, definitionConditions.deletionInProgress, getTimestamp()));
    return;
  }
  const strategy = storageStrategyOf(definition);
  if (strategy && (await deleteObjects(registry, strategy)) > 0) return;
  await write(removeCleanupFinalizer(withCondition(definition, definitionConditions.deletionCompleted, getTimestamp())));
}

function removeCleanupFinalizer(definition: Definition): Definition {
  const finalizers = definition.metadata.finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer) ?? [];
  const { finalizers: _, ...metadata } = definition.metadata;
  return { ...definition, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
}

/** Deletes the objects. @returns the number of remaining objects, which have finalizers */
async function deleteObjects(registry: Registry, strategy: ResourceStrategy): Promise<number> {
  const { resource } = strategy;
  const listObjects = (): readonly ApiObject[] => registry.store.list(resource).items;
  if (listObjects().some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    const isServed = registry.resources.some(
      (each) => each.group === resource.group && each.plural === resource.plural && each.version === resource.version,
    );
    // The storage version may have objects without being served.
    if (!isServed) registry.serve(strategy);
    try {
      await registry.deleteCollection(resource, {});
    } finally {
      if (!isServed) registry.withdraw(resource);
    }
  }
  return listObjects().length;
}
