import type { ApiError, ApiObject, ListOptions, ObjectKey, ObjectList, PatchOptions, Resource } from 'kube-endpoints/port';
import type { Clock, Store } from '../store/index.ts';
import { type Admission, createContext, type Randomness, storeOf, strategyFor } from './context.ts';
import { type CreateOptions, create } from './create.ts';
import { type Deleted, type RemoveOptions, remove, removeCollection } from './delete.ts';
import { noSuchResource } from './errors.ts';
import { collectGarbage } from './garbage.ts';
import { finalizeNamespaces } from './namespace-controller.ts';
import { type PatchCall, patch } from './patch.ts';
import { type BindOptions, bind, evict } from './pod-subresources.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';
import { type Change, type UpdateOptions, update } from './update.ts';

export interface RegistryOptions {
  readonly store: Store;
  readonly strategies: readonly ResourceStrategy[];
  /** By default that of the machine. */
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** By default nothing stands in the way. */
  readonly admission?: Admission;
  /** Whether every write keeps `metadata.managedFields`. By default only server-side apply does. */
  readonly managesFields?: boolean;
}

/**
 * The generic registry: what an API server does around the store, for every resource by its strategy.
 *
 * What is answered is frozen, or the caller's own. Every call may reject with an ApiError.
 */
export interface Registry {
  /** Everything as it is stored. What a resource shows of it has `storeFor`. */
  readonly store: Store;
  /** Those that are served. */
  readonly resources: readonly Resource[];
  /**
   * Where to read and watch a resource: the store itself, or one that shows its objects in the form of the resource.
   * @throws ApiError NotFound where the resource is not served
   */
  storeFor(resource: Resource): Store;
  /** @throws ApiError NotFound where the resource is not served */
  strategyFor(resource: Resource): ResourceStrategy;
  /** Serves another resource, or another version of one, from now on, or one of the same name differently. */
  serve(strategy: ResourceStrategy): void;
  /** Ceases to serve a resource, and ends its watches. What is stored of it stays until it is deleted. */
  withdraw(resource: Resource): void;
  create(resource: Resource, namespace: string | undefined, object: ApiObject, options?: CreateOptions): Promise<ApiObject>;
  /** Where there is nothing, `change` is asked only if the resource may be created by an update. */
  update(resource: Resource, key: ObjectKey, change: Change, options?: UpdateOptions): Promise<ApiObject>;
  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions & PatchCall): Promise<ApiObject>;
  delete(resource: Resource, key: ObjectKey, options?: RemoveOptions): Promise<Deleted>;
  deleteCollection(resource: Resource, selection: ListOptions, options?: RemoveOptions): Promise<ObjectList>;
  /** Gives a pod its node: the subresource `binding`. */
  bind(pod: ObjectKey, binding: ApiObject, options?: BindOptions): Promise<ApiObject>;
  /** Deletes a pod where nobody minds: the subresource `eviction`. There are no disruption budgets. */
  evict(pod: ObjectKey, eviction: ApiObject, options?: BindOptions): Promise<Deleted>;
  /** What the garbage collector has to do, until nothing is left. How many writes it took; `failed` is told of what is refused. */
  collectGarbage(failed?: (error: ApiError) => void): Promise<number>;
  /** A round of the namespace controller. How many namespaces are gone by it. */
  finalizeNamespaces(): Promise<number>;
}

export function createRegistry({ strategies, ...options }: RegistryOptions): Registry {
  const { store } = options;
  const byId = new Map<string, ResourceStrategy>();
  const context = createContext({ ...options, strategies: byId });
  let known = new WeakMap<Resource, ResourceStrategy>();
  const find = (resource: Resource): ResourceStrategy => {
    const strategy = known.get(resource) ?? strategyFor(context, resource);
    known.set(resource, strategy);
    return strategy;
  };
  const serve = (strategy: ResourceStrategy): void => {
    known = new WeakMap();
    byId.set(idOf(strategy.resource), strategy);
    if (strategy.selectableFields && !strategy.storedAs) store.selectBy(strategy.resource, strategy.selectableFields);
  };
  for (const strategy of strategies) serve(strategy);
  return {
    store,
    get resources() {
      return [...byId.values()].map(({ resource }) => resource);
    },
    storeFor: (resource) => storeOf(context, find(resource)),
    strategyFor: find,
    serve,
    withdraw(resource) {
      const strategy = byId.get(idOf(resource));
      if (!strategy) return;
      known = new WeakMap();
      byId.delete(idOf(resource));
      store.dropWatches((strategy.storedAs ?? strategy).resource);
    },
    create: async (resource, namespace, object, given) => create(context, find(resource), namespace, object, given),
    update: async (resource, key, change, given) => update(context, withSubresource(find(resource), given), key, change, given),
    patch: async (resource, key, given, how) => patch(context, withSubresource(find(resource), how), key, given, how),
    delete: async (resource, key, given) => remove(context, find(resource), key, given),
    deleteCollection: async (resource, selection, given) => removeCollection(context, find(resource), selection, given),
    bind: async (key, binding, given) => bind(context, key, binding, given),
    evict: async (key, eviction, given) => evict(context, key, eviction, given),
    collectGarbage: (failed) => collectGarbage(context, failed),
    finalizeNamespaces: () => finalizeNamespaces(context),
  };
}

function withSubresource(strategy: ResourceStrategy, { subresource }: UpdateOptions = {}): ResourceStrategy {
  if (subresource !== undefined && !strategy.subresources.includes(subresource)) throw noSuchResource();
  return strategy;
}
