import type { ApiObject } from 'kube-endpoints/port';
import type { Registry, ResourceStrategy } from '../../registry/index.ts';
import { conditions, isSameCondition, withCondition } from '../definition/conditions.ts';
import { cleanupFinalizer, conditionIn, type Definition, isTrue } from '../definition/definition.ts';
import { storageStrategyOf } from './serving.ts';

export interface Ending {
  readonly registry: Registry;
  /** Writes the status of a definition, and what else a controller may write with it. */
  write(definition: Definition): Promise<void>;
  now(): string;
  /** Whether its objects are those of a resource that is built in. */
  readonly overlaps: boolean;
}

/** Whether a definition waits for its objects to go. */
export const isGoing = ({ metadata }: Definition): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true;

/**
 * Deletes the objects of a definition that goes and, once all are gone, lets it go, too. Mirrors CRDFinalizer
 * (apiextensions-apiserver/pkg/controller/finalizer, 1.36), but for the minute after which that gives up and begins anew.
 */
export async function endObjects(definition: Definition, ending: Ending): Promise<void> {
  const { registry, write, now, overlaps } = ending;
  if (overlaps) return write(letGo(withCondition(definition, conditions.overlapping, now())));
  if (!isTrue(definition, 'Established')) return write(letGo(withCondition(definition, conditions.neverEstablished, now())));
  if (!isSameCondition(conditionIn(definition, 'Terminating'), conditions.deletionInProgress)) {
    await write(withCondition(definition, conditions.deletionInProgress, now()));
    return;
  }
  const strategy = storageStrategyOf(definition);
  if (strategy && (await remainingOf(registry, strategy)) > 0) return;
  await write(letGo(withCondition(definition, conditions.deletionCompleted, now())));
}

function letGo(definition: Definition): Definition {
  const finalizers = definition.metadata.finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer) ?? [];
  const { finalizers: _, ...metadata } = definition.metadata;
  return { ...definition, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
}

/** Deletes what is there, and answers how much has to wait. */
async function remainingOf(registry: Registry, strategy: ResourceStrategy): Promise<number> {
  const { resource } = strategy;
  const all = (): readonly ApiObject[] => registry.store.list(resource).items;
  if (all().some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    const isServed = registry.resources.some(
      (each) => each.group === resource.group && each.plural === resource.plural && each.version === resource.version,
    );
    // A version may hold objects without being served.
    if (!isServed) registry.serve(strategy);
    try {
      await registry.deleteCollection(resource, {});
    } finally {
      if (!isServed) registry.withdraw(resource);
    }
  }
  return all().length;
}
