import { type ApiObject, hasReason, resources } from '../../port/index.ts';
import { type RegistryContext, strategyFor } from './context.ts';
import { removeCollection } from './delete.ts';
import { isGoing } from './metadata.ts';
import { contentFinalizer, specFinalizersOf } from './namespaces.ts';
import type { ResourceStrategy } from './strategy.ts';
import { update } from './update.ts';

/**
 * One round of what the namespace controller does: deletes what is in namespaces that go, and lets go of those in which nothing is left.
 * Objects that have a grace period or finalizers keep theirs waiting for a later round.
 *
 * Mirrors Deleter.Delete (pkg/controller/namespace/deletion/namespaced_resources_deleter.go, 1.36).
 * @returns how many namespaces are gone now
 */
export async function finalizeNamespaces(context: RegistryContext): Promise<number> {
  const going = context.store.list(resources.namespaces).items.filter((each) => isGoing(each) && waitsForContent(each));
  let gone = 0;
  for (const { metadata } of going) if (await finalizeNamespace(context, metadata.name as string)) gone += 1;
  return gone;
}

async function finalizeNamespace(context: RegistryContext, name: string): Promise<boolean> {
  const namespaced = [...context.strategies.values()].filter(({ resource }) => resource.namespaced);
  for (const strategy of namespaced) {
    await removeCollection(context, strategy, { namespace: name }, { propagationPolicy: 'Background' });
  }
  if (namespaced.some((strategy) => holdsAny(context, strategy, name))) return false;
  const strategy = strategyFor(context, resources.namespaces);
  try {
    await update(context, strategy, { name }, (current) => withoutContentFinalizer(current as ApiObject), { subresource: 'finalize' });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  return true;
}

const holdsAny = ({ store }: RegistryContext, { resource }: ResourceStrategy, namespace: string): boolean =>
  store.list(resource, { namespace, limit: 1 }).items.length > 0;

const waitsForContent = (namespace: ApiObject): boolean => specFinalizersOf(namespace).includes(contentFinalizer);

function withoutContentFinalizer(namespace: ApiObject): ApiObject {
  const finalizers = specFinalizersOf(namespace).filter((finalizer) => finalizer !== contentFinalizer);
  return { ...namespace, spec: { ...(namespace['spec'] as object | undefined), finalizers } };
}
