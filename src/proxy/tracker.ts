import { type IPFamily, objectKey } from '../apimachinery/index.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import type { NodeIdentity } from './categorize.ts';
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

/** An incrementally updated view of a node: a change costs as much as the Service it belongs to. */
export interface ViewTracker {
  readonly services: TrackedObjects<ProxyService>;
  readonly endpointSlices: TrackedObjects<EndpointSliceInput>;
  setNode(node: NodeIdentity): void;
  /** Computes the Services changed since the last `settle`, sorted by name, without applying the changes. */
  pending(): ServiceViewChange[];
  /** Applies changes returned by `pending`. */
  settle(changes: readonly ServiceViewChange[]): void;
  /** As of the last `settle`. */
  view(): NodeView;
}

export interface ViewTrackerOptions {
  readonly node: NodeIdentity;
  readonly family?: IPFamily;
}

/** @throws RangeError if `family` is invalid */
export function createViewTracker({ node: first, family = 'IPv4' }: ViewTrackerOptions): ViewTracker {
  checkFamily(family);
  const services = new Map<string, ProxyService>();
  const slices = createSliceIndex(family);
  const views = new Map<string, ServiceView>();
  const touched = new Set<string>();
  let node = first;
  const viewOf = (key: string): ServiceView | undefined => {
    const service = services.get(key);
    const own = slices.of(key);
    return service || own ? viewService(service, own?.values() ?? [], node, family) : undefined;
  };
  return {
    services: {
      set: (service) => {
        services.set(objectKey(service), service);
        touched.add(objectKey(service));
      },
      delete: (key) => {
        if (services.delete(key)) touched.add(key);
      },
    },
    endpointSlices: {
      set: (slice) => slices.replace(objectKey(slice), slice, touched),
      delete: (key) => slices.replace(key, undefined, touched),
    },
    setNode: (next) => {
      node = next;
      for (const key of [...services.keys(), ...slices.owners()]) touched.add(key);
    },
    pending: () => sortKeys(touched).map((key) => ({ key, before: views.get(key), after: viewOf(key) })),
    settle: (changes) => {
      for (const { key, after } of changes) {
        if (after) views.set(key, after);
        else views.delete(key);
        touched.delete(key);
      }
    },
    view: () => joinViews(new Map(sortKeys(views.keys()).map((key) => [key, views.get(key) as ServiceView])), family),
  };
}

interface SliceIndex {
  /** The slices of a Service by name. */
  of(service: string): ReadonlyMap<string, EndpointSliceInput> | undefined;
  owners(): Iterable<string>;
  /** Replaces or removes a slice; adds the affected Services to `touched`. */
  replace(key: string, slice: EndpointSliceInput | undefined, touched: Set<string>): void;
}

function createSliceIndex(family: IPFamily): SliceIndex {
  const owners = new Map<string, string>();
  const byService = new Map<string, Map<string, EndpointSliceInput>>();
  const remove = (key: string, touched: Set<string>): void => {
    const owner = owners.get(key);
    if (owner === undefined) return;
    owners.delete(key);
    touched.add(owner);
    const rest = byService.get(owner);
    rest?.delete(key);
    if (rest?.size === 0) byService.delete(owner);
  };
  return {
    of: (service) => byService.get(service),
    owners: () => byService.keys(),
    replace: (key, slice, touched) => {
      const owner = slice && serviceKeyOf(slice, family);
      if (owner !== owners.get(key)) remove(key, touched);
      if (!slice || owner === undefined) return;
      owners.set(key, owner);
      touched.add(owner);
      const own = byService.get(owner) ?? new Map<string, EndpointSliceInput>();
      byService.set(owner, own.set(key, slice));
    },
  };
}
