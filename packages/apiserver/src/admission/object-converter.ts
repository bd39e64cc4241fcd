import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { internalError, type Registry, type ResourceStrategy } from '../registry/index.ts';

/** Access to the served resources and their strategies. */
export type ServedResources = Pick<Registry, 'resources' | 'strategyFor'>;

/** Converts objects between the versions and groups of their resources. */
export interface ObjectConverter {
  /** The other resources, in another version or group, that represent the same objects. */
  equivalents(resource: Resource, subresource: string): readonly Resource[];
  /** Converts an object to another resource that represents it. */
  convert(object: ApiObject, from: Resource, to: Resource): ApiObject;
  /** Decodes and defaults a patched object. @throws ApiError InternalError if it can no longer be decoded */
  complete(resource: Resource, patched: unknown): ApiObject;
}

export const createObjectConverter = (getServed: () => ServedResources): ObjectConverter => ({
  equivalents: (resource, subresource) => equivalents(getServed(), resource, subresource),
  convert: (object, from, to) => convert(getServed(), object, from, to),
  complete: (resource, patched) => complete(getServed(), resource, patched),
});

function equivalents({ resources, strategyFor }: ServedResources, resource: Resource, subresource: string): readonly Resource[] {
  const storageKey = storageKeyOf(strategyFor(resource));
  return resources.filter((other) => {
    if (isSameResource(other, resource)) return false;
    const strategy = strategyFor(other);
    return storageKeyOf(strategy) === storageKey && (subresource === '' || strategy.subresources.includes(subresource));
  });
}

/** The storage of a resource: shared by its versions, and by the two groups of Events. */
function storageKeyOf({ resource, storedAs }: ResourceStrategy): string {
  const { group, plural } = storedAs?.resource ?? resource;
  return `${plural}.${group}`;
}

const isSameResource = (a: Resource, b: Resource): boolean => a.plural === b.plural && a.version === b.version && a.group === b.group;

function convert({ strategyFor }: ServedResources, object: ApiObject, from: Resource, to: Resource): ApiObject {
  if (isSameResource(from, to)) return object;
  const stored = strategyFor(from).storedAs?.toStored(object) ?? object;
  return strategyFor(to).storedAs?.fromStored(stored) ?? stored;
}

function complete(served: ServedResources, resource: Resource, patched: unknown): ApiObject {
  const { strategyFor } = served;
  const { apiVersion = apiVersionOf(resource), kind = resource.kind } = (patched ?? {}) as ApiObject;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource))
    throw createKindError(served, resource, { apiVersion, kind }, patched);
  const strategy = strategyFor(resource);
  const { object, problem } = strategy.decode(patched);
  if (problem !== undefined) throw internalError(problem);
  return strategy.encode(object);
}

/** The error for a patch that changed the kind or apiVersion. Like upstream's error, it names the versioned and the internal Go type. */
function createKindError(
  { resources, strategyFor }: ServedResources,
  resource: Resource,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  patched: unknown,
): Error {
  const other = resources.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (!other) return internalError(unregisteredKindMessage(apiVersion, kind));
  const { problem } = strategyFor(other).decode(patched);
  return internalError(
    problem ?? `converting (${other.version}.${kind}) to (${resource.group || 'core'}.${resource.kind}): unknown conversion`,
  );
}

/** The real server's error for an unknown kind. */
export const unregisteredKindMessage = (apiVersion: string, kind: string): string =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
