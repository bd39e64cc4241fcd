import { type ApiObject, type DeleteOptions, type ObjectKey, type Resource, resources } from 'kube-endpoints/port';
import { conflict, notFound } from '../store/index.ts';
import { lookUp, type RegistryContext, requireStored } from './context.ts';
import { updateGarbageCollectionFinalizers } from './deletion.ts';
import { forbidden, namespaceTerminating } from './errors.ts';
import { isBeingDeleted, withMetadata } from './metadata.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';

/** The finalizer in a namespace's spec that protects its content. */
export const contentFinalizer = 'kubernetes';

/**
 * Requires that the namespace of a new object exists and is not terminating. Does nothing if namespaces are not served.
 *
 * Mirrors the plugin NamespaceLifecycle (1.36, apiserver/pkg/admission/plugin/namespace/lifecycle).
 */
export function requireNamespace(context: RegistryContext, resource: Resource, { metadata }: ApiObject): void {
  const { name, generateName, namespace = '' } = metadata;
  const namespaceStrategy = context.strategies.get(idOf(resources.namespaces));
  if (!resource.namespaced || namespace === '' || !namespaceStrategy) return;
  const existing = lookUp(context, namespaceStrategy, { name: namespace });
  if (!existing) throw notFound(resources.namespaces, namespace);
  if (phaseOf(existing) === 'Terminating') throw namespaceTerminating(resource, name || generateName || 'Unknown', namespace);
}

/**
 * Starts the deletion of a namespace and returns it, or returns a namespace that is already terminating. Returns undefined if the caller
 * may remove the object now: a terminating namespace without spec finalizers, or an object of another resource. Mirrors REST.Delete
 * (pkg/registry/core/namespace/storage/storage.go, 1.36).
 */
export function terminateNamespace(
  context: RegistryContext,
  strategy: ResourceStrategy,
  key: ObjectKey,
  options: DeleteOptions,
): ApiObject | undefined {
  const { store } = context;
  if (!isNamespaceStrategy(strategy)) return undefined;
  if (immortalNamespaces.includes(key.name)) throw forbidden(resources.namespaces, key.name, 'this namespace may not be deleted');
  const current = requireStored(context, strategy, key);
  requirePreconditions(current, key, options);
  if (isBeingDeleted(current)) return specFinalizersOf(current).length > 0 ? current : undefined;
  const terminatingNamespace = withMetadata(updateGarbageCollectionFinalizers(strategy, current, options), {
    deletionTimestamp: context.timestamp(),
  });
  const status = { ...(current['status'] as object | undefined), phase: 'Terminating' };
  return store.update(resources.namespaces, key, () => ({ ...terminatingNamespace, status }), options.preconditions);
}

export const isNamespaceStrategy = ({ resource }: ResourceStrategy): boolean =>
  resource.group === '' && resource.plural === resources.namespaces.plural;

/** True if the namespace is already terminating and its content is not gone yet. @throws ApiError if a precondition fails */
export function checkIfTerminating(current: ApiObject, options: DeleteOptions): boolean {
  requirePreconditions(current, { name: current.metadata.name ?? '' }, options);
  return isBeingDeleted(current) && specFinalizersOf(current).length > 0;
}

export const specFinalizersOf = ({ spec }: ApiObject): readonly string[] =>
  (spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? [];

const phaseOf = ({ status }: ApiObject): string | undefined => (status as { readonly phase?: string } | undefined)?.phase;

const immortalNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public'];

function requirePreconditions({ metadata }: ApiObject, { name }: ObjectKey, { preconditions = {} }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const refuse = (field: string, expected: string, actual = ''): never => {
    const message = `Precondition failed: ${field} in precondition: ${expected}, ${field} in object meta: ${actual}`;
    throw conflict(resources.namespaces, name, message);
  };
  if (uid !== undefined && uid !== metadata.uid) refuse('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}
