import { type IPFamily, objectKey } from '../apimachinery/index.ts';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional } from '../types/index.ts';
import type { NodeIdentity } from './categorize.ts';
import { convertEndpoints } from './convert-endpoints.ts';
import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from './gates.ts';
import { checkFamily, joinViews, type ServiceView, serviceKeyOf, sortKeys, viewService } from './node-view.ts';
import type { ProxyService } from './objects.ts';
import type { NodeView } from './view.ts';

/** The objects of one kind on a node, by namespace and name. */
export interface TrackedObjects<T> {
  /** Adds the object or replaces the one with its name. */
  set(object: T): void;
  /** @param key "shop/web". An unknown key is ignored. */
  delete(key: string): void;
}

/** The change of one Service. */
export interface ServiceViewChange {
  /** "shop/web" */
  readonly key: string;
  readonly before: ServiceView | undefined;
  readonly after: ServiceView | undefined;
}

/** The view of a node, updated incrementally. The cost of a change depends only on the size of its Service. */
export interface ViewTracker {
  readonly services: TrackedObjects<ProxyService>;
  /** Ignored by releases before 1.19, unless a feature gate is set (gate `slicesRead`). */
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  /** Read instead of `endpointSlices` by the releases that ignore these; ignored by the others. */
  readonly endpoints: TrackedObjects<EndpointsInput>;
  setNode(node: NodeIdentity): void;
  /** Computes the changes of Services since the last `commit`, sorted by key, without applying them. */
  pendingChanges(): ServiceViewChange[];
  /** Applies changes returned by `pendingChanges`. */
  commit(changes: readonly ServiceViewChange[]): void;
  /** The view as of the last `commit`. */
  view(): NodeView;
}

export interface ViewTrackerOptions extends ProxyVersionOptions {
  readonly node: NodeIdentity;
  readonly family?: IPFamily;
}

/** @throws RangeError if `family` is invalid or the version is unknown */
export function createViewTracker({ node: initialNode, family = 'IPv4', ...release }: ViewTrackerOptions): ViewTracker {
  checkFamily(family);
  const gates = proxyGatesFor(release);
  const services = new Map<string, ProxyService>();
  const slices = createSliceIndex(family, gates);
  const endpoints = new Map<string, EndpointsInput>();
  const views = new Map<string, ServiceView>();
  const changedKeys = new Set<string>();
  let node = initialNode;
  const findSlices = (key: string): Iterable<EndpointSliceInput> | undefined => {
    const ownEndpoints = endpoints.get(key);
    return ownEndpoints ? convertEndpoints(ownEndpoints, family) : slices.slicesOf(key)?.values();
  };
  const viewOf = (key: string): ServiceView | undefined => {
    const service = services.get(key);
    const ownSlices = findSlices(key);
    return service || ownSlices ? viewService(service, ownSlices ?? [], node, family, gates) : undefined;
  };
  return {
    services: trackObjects(services, changedKeys),
    endpointSlices: gates.slicesRead ? trackSlices(slices, changedKeys) : ignoredObjects,
    endpoints: gates.slicesRead ? ignoredObjects : trackObjects(endpoints, changedKeys),
    setNode: (newNode) => {
      node = newNode;
      for (const key of [...services.keys(), ...slices.serviceKeys(), ...endpoints.keys()]) changedKeys.add(key);
    },
    pendingChanges: () => sortKeys(changedKeys).map((key) => ({ key, before: views.get(key), after: viewOf(key) })),
    commit: (changes) => {
      for (const { key, after } of changes) {
        if (after) views.set(key, after);
        else views.delete(key);
        changedKeys.delete(key);
      }
    },
    view: () => joinViews(new Map(sortKeys(views.keys()).map((key) => [key, views.get(key) as ServiceView])), family),
  };
}

const trackObjects = <T extends { readonly metadata?: Optional<ObjectMeta> }>(
  objects: Map<string, T>,
  changedKeys: Set<string>,
): TrackedObjects<T> => ({
  set: (object) => {
    objects.set(objectKey(object), object);
    changedKeys.add(objectKey(object));
  },
  delete: (key) => {
    if (objects.delete(key)) changedKeys.add(key);
  },
});

const trackSlices = (slices: SliceIndex, changedKeys: Set<string>): TrackedObjects<EndpointSliceInput> => ({
  set: (slice) => slices.replace(objectKey(slice), slice, changedKeys),
  delete: (key) => slices.replace(key, undefined, changedKeys),
});

const ignoredObjects: TrackedObjects<unknown> = { set: () => {}, delete: () => {} };

interface SliceIndex {
  /** The slices of a Service by name. */
  slicesOf(service: string): ReadonlyMap<string, EndpointSliceInput> | undefined;
  serviceKeys(): Iterable<string>;
  /** Replaces or removes a slice; adds the affected Services to `changedKeys`. */
  replace(key: string, slice: EndpointSliceInput | undefined, changedKeys: Set<string>): void;
}

function createSliceIndex(family: IPFamily, gates: ProxyGates): SliceIndex {
  const owners = new Map<string, string>();
  const slicesByService = new Map<string, Map<string, EndpointSliceInput>>();
  const remove = (key: string, changedKeys: Set<string>): void => {
    const owner = owners.get(key);
    if (owner === undefined) return;
    owners.delete(key);
    changedKeys.add(owner);
    const remaining = slicesByService.get(owner);
    remaining?.delete(key);
    if (remaining?.size === 0) slicesByService.delete(owner);
  };
  return {
    slicesOf: (service) => slicesByService.get(service),
    serviceKeys: () => slicesByService.keys(),
    replace: (key, slice, changedKeys) => {
      const owner = slice && serviceKeyOf(slice, family, gates);
      if (owner !== owners.get(key)) remove(key, changedKeys);
      if (!slice || owner === undefined) return;
      owners.set(key, owner);
      changedKeys.add(owner);
      const siblings = slicesByService.get(owner) ?? new Map<string, EndpointSliceInput>();
      slicesByService.set(owner, siblings.set(key, slice));
    },
  };
}
