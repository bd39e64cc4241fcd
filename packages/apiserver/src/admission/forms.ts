import { apiVersionOf } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { internalError, type Registry, type ResourceStrategy } from '../registry/index.ts';

/** What is known of resources: those that are served, and how their objects are read, shown and stored. */
export type Served = Pick<Registry, 'resources' | 'strategyFor'>;

/** The forms that objects come in. */
export interface Forms {
  /** The other resources that the objects of one are shown as, too: in another group, or in another version. */
  equivalents(resource: Resource, subresource: string): readonly Resource[];
  /** The same object as another resource shows it. */
  convert(object: ApiObject, from: Resource, to: Resource): ApiObject;
  /** What a patch left of an object, read again, with defaults. @throws ApiError InternalError where it can no longer be read */
  complete(resource: Resource, patched: unknown): ApiObject;
}

export const createForms = (served: () => Served): Forms => ({
  equivalents: (resource, subresource) => equivalents(served(), resource, subresource),
  convert: (object, from, to) => convert(served(), object, from, to),
  complete: (resource, patched) => complete(served(), resource, patched),
});

function equivalents({ resources, strategyFor }: Served, resource: Resource, subresource: string): readonly Resource[] {
  const place = placeOf(strategyFor(resource));
  return resources.filter((other) => {
    if (sameResource(other, resource)) return false;
    const strategy = strategyFor(other);
    return placeOf(strategy) === place && (subresource === '' || strategy.subresources.includes(subresource));
  });
}

/** Where objects are stored: versions of a resource share it, and so do the two kinds of events. */
function placeOf({ resource, storedAs }: ResourceStrategy): string {
  const { group, plural } = storedAs?.resource ?? resource;
  return `${plural}.${group}`;
}

const sameResource = (a: Resource, b: Resource): boolean => a.plural === b.plural && a.version === b.version && a.group === b.group;

function convert({ strategyFor }: Served, object: ApiObject, from: Resource, to: Resource): ApiObject {
  if (sameResource(from, to)) return object;
  const stored = strategyFor(from).storedAs?.toStored(object) ?? object;
  return strategyFor(to).storedAs?.fromStored(stored) ?? stored;
}

function complete(served: Served, resource: Resource, patched: unknown): ApiObject {
  const { strategyFor } = served;
  const { apiVersion = apiVersionOf(resource), kind = resource.kind } = (patched ?? {}) as ApiObject;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) throw otherKind(served, resource, { apiVersion, kind }, patched);
  const strategy = strategyFor(resource);
  const { object, problem } = strategy.decode(patched);
  if (problem !== undefined) throw internalError(problem);
  return strategy.encode(object);
}

/** A patch may have changed the kind: then the object is read as what it says it is, and that is not what it has to be. */
function otherKind(
  { resources, strategyFor }: Served,
  resource: Resource,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  patched: unknown,
): Error {
  const other = resources.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (!other) return internalError(notRegistered(apiVersion, kind));
  const { problem } = strategyFor(other).decode(patched);
  return internalError(
    problem ?? `converting (${other.version}.${kind}) to (${resource.group || 'core'}.${resource.kind}): unknown conversion`,
  );
}

/** What the real server says of a kind that it does not know. */
export const notRegistered = (apiVersion: string, kind: string): string =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
