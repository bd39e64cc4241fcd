import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import {
  type AdmissionRequest,
  convertBetween,
  findKind,
  formatNotRegistered,
  internalError,
  type Registry,
  type ResourceStrategy,
} from '../registry/index.ts';

/** Access to the served resources and their strategies. */
export type ServedResources = Pick<Registry, 'resources' | 'strategyFor' | 'conversions'>;

/** Converts objects between the versions and groups of their resources. */
export interface ObjectConverter {
  /**
   * Finds the resources of a different version or group that represent the same objects. If `subresource` is not empty, finds only those that
   * have the subresource.
   */
  findEquivalents(resource: Resource, subresource: string): readonly Resource[];
  /** Converts an object from one resource to another that represents the same objects. */
  convert(object: ApiObject, from: Resource, to: Resource): ApiObject | Promise<ApiObject>;
  /** Decodes and defaults a patched object. @throws ApiError InternalError if the kind changed or decoding fails */
  decodeAndDefault(resource: Resource, patched: unknown): ApiObject;
}

/** The objects of a request, converted to one of the resources that represent them. */
export interface ConvertedObjects {
  readonly object?: ApiObject;
  readonly old?: ApiObject;
}

/** Converts the objects of a request to the resource that a webhook or policy expects. */
export async function convertObjects(
  { convert }: Pick<ObjectConverter, 'convert'>,
  request: AdmissionRequest,
  resource: Resource,
): Promise<ConvertedObjects> {
  const { object, old } = request;
  return {
    ...(object && { object: resource === request.resource ? object : await convert(object, request.resource, resource) }),
    ...(old && { old: resource === request.resource ? old : await convert(old, request.resource, resource) }),
  };
}

export const createObjectConverter = (getServedResources: () => ServedResources): ObjectConverter => ({
  findEquivalents: (resource, subresource) => findEquivalents(getServedResources(), resource, subresource),
  convert: (object, from, to) => convert(getServedResources(), object, from, to),
  decodeAndDefault: (resource, patched) => decodeAndDefault(getServedResources(), resource, patched),
});

function findEquivalents({ resources, strategyFor }: ServedResources, resource: Resource, subresource: string): readonly Resource[] {
  const storageKey = storageKeyOf(strategyFor(resource));
  return resources.filter((other) => {
    if (isSameResource(other, resource)) return false;
    const strategy = strategyFor(other);
    return storageKeyOf(strategy) === storageKey && (subresource === '' || strategy.subresources.includes(subresource));
  });
}

/** Returns a key for the storage of a resource, which all versions of the resource share, as do both groups of Events. */
function storageKeyOf({ resource, storedAs }: ResourceStrategy): string {
  const { group, plural } = storedAs?.resource ?? resource;
  return `${plural}.${group}`;
}

const isSameResource = (a: Resource, b: Resource): boolean => a.plural === b.plural && a.version === b.version && a.group === b.group;

function convert(
  { strategyFor, conversions }: ServedResources,
  object: ApiObject,
  from: Resource,
  to: Resource,
): ApiObject | Promise<ApiObject> {
  if (isSameResource(from, to)) return object;
  return conversions.run(() => convertBetween(strategyFor(from), strategyFor(to), object));
}

function decodeAndDefault(servedResources: ServedResources, resource: Resource, patched: unknown): ApiObject {
  const { strategyFor } = servedResources;
  const { apiVersion = apiVersionOf(resource), kind = resource.kind } = (patched ?? {}) as ApiObject;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource))
    throw createKindError(servedResources, resource, { apiVersion, kind }, patched);
  const strategy = strategyFor(resource);
  const { object, problem } = strategy.decode(patched);
  if (problem !== undefined) throw internalError(problem);
  return strategy.encode(object);
}

/**
 * Creates the error for a patch that changed the kind or apiVersion. As upstream, reports an unregistered kind or a decoding problem before
 * the unknown conversion, whose message names the versioned and the internal Go type.
 */
function createKindError(
  { resources, strategyFor }: ServedResources,
  resource: Resource,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  patched: unknown,
): Error {
  const changedResource = findKind(resources, apiVersion, kind);
  if (!changedResource) return internalError(formatNotRegistered(kind, apiVersion));
  const { problem } = strategyFor(changedResource).decode(patched);
  return internalError(
    problem ?? `converting (${changedResource.version}.${kind}) to (${resource.group || 'core'}.${resource.kind}): unknown conversion`,
  );
}
