import type { ApiError, ApiObject, ListOptions, ObjectKey, ObjectList, PatchOptions, Resource } from 'kube-endpoints/port';
import type { Clock, Store } from '../store/index.ts';
import { type Admission, createContext, type Randomness, storeOf, strategyFor } from './context.ts';
import type { Conversions } from './conversions.ts';
import { type CreateOptions, create } from './create.ts';
import { type DeleteResult, type RemoveOptions, remove, removeCollection } from './delete.ts';
import { noSuchResource } from './errors.ts';
import { collectGarbage } from './garbage.ts';
import { finalizeNamespaces } from './namespace-controller.ts';
import { type PatchCallOptions, patch } from './patch.ts';
import { bind, evict, type PodSubresourceOptions } from './pod-subresources.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';
import { type Change, type UpdateOptions, update } from './update.ts';

export interface RegistryOptions {
  readonly store: Store;
  readonly strategies: readonly ResourceStrategy[];
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** None by default. */
  readonly admission?: Admission;
  /** Whether every write records `metadata.managedFields`. By default, only server-side apply does. */
  readonly managesFields?: boolean;
}

/**
 * The generic registry: decoding, admission, validation and storage of all resources by their strategies.
 *
 * Returned objects are frozen or owned by the caller. Every call may reject with an ApiError.
 */
export interface Registry {
  /** The raw store. Use `storeFor` to read objects in the form of a resource. */
  readonly store: Store;
  readonly resources: readonly Resource[];
  /**
   * The store to read and watch a resource; converts objects that are stored in another form.
   * @throws ApiError NotFound if the resource is not served
   */
  storeFor(resource: Resource): Store;
  /** @throws ApiError NotFound if the resource is not served */
  strategyFor(resource: Resource): ResourceStrategy;
  /** Runs reads of `storeFor` that may need conversions by another server. */
  readonly conversions: Conversions;
  /** Serves a resource in a version, or replaces its strategy. */
  serve(strategy: ResourceStrategy): void;
  /** Stops serving a resource and ends its watches. Stored objects stay until they are deleted. */
  withdraw(resource: Resource): void;
  create(resource: Resource, namespace: string | undefined, object: ApiObject, options?: CreateOptions): Promise<ApiObject>;
  /** Updates an object. If it does not exist, calls `change` only if an update may create objects of the resource. */
  update(resource: Resource, key: ObjectKey, change: Change, options?: UpdateOptions): Promise<ApiObject>;
  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions & PatchCallOptions): Promise<ApiObject>;
  delete(resource: Resource, key: ObjectKey, options?: RemoveOptions): Promise<DeleteResult>;
  deleteCollection(resource: Resource, selection: ListOptions, options?: RemoveOptions): Promise<ObjectList>;
  /** Binds a pod to a node: the subresource `binding`. */
  bind(pod: ObjectKey, binding: ApiObject, options?: PodSubresourceOptions): Promise<ApiObject>;
  /** Evicts a pod: the subresource `eviction`. PodDisruptionBudgets are not supported. */
  evict(pod: ObjectKey, eviction: ApiObject, options?: PodSubresourceOptions): Promise<DeleteResult>;
  /** Runs the garbage collector until no work is left; calls `onError` for each refused write. Returns the number of writes. */
  collectGarbage(onError?: (error: ApiError) => void): Promise<number>;
  /** Runs one round of the namespace controller. Returns the number of namespaces removed. */
  finalizeNamespaces(): Promise<number>;
}

export function createRegistry({ strategies, ...options }: RegistryOptions): Registry {
  const { store } = options;
  const strategiesById = new Map<string, ResourceStrategy>();
  const context = createContext({ ...options, strategies: strategiesById });
  let strategyCache = new WeakMap<Resource, ResourceStrategy>();
  const resolveStrategy = (resource: Resource): ResourceStrategy => {
    const strategy = strategyCache.get(resource) ?? strategyFor(context, resource);
    strategyCache.set(resource, strategy);
    return strategy;
  };
  const serve = (strategy: ResourceStrategy): void => {
    strategyCache = new WeakMap();
    strategiesById.set(idOf(strategy.resource), strategy);
    if (strategy.selectableFields && !strategy.storedAs) store.setSelectableFields(strategy.resource, strategy.selectableFields);
  };
  for (const strategy of strategies) serve(strategy);
  return {
    store,
    get resources() {
      return [...strategiesById.values()].map(({ resource }) => resource);
    },
    storeFor: (resource) => storeOf(context, resolveStrategy(resource)),
    strategyFor: resolveStrategy,
    conversions: context.conversions,
    serve,
    withdraw(resource) {
      const strategy = strategiesById.get(idOf(resource));
      if (!strategy) return;
      strategyCache = new WeakMap();
      strategiesById.delete(idOf(resource));
      store.dropWatches((strategy.storedAs ?? strategy).resource);
    },
    create: (resource, namespace, object, callOptions) =>
      write(store, () => create(context, resolveStrategy(resource), namespace, object, callOptions)),
    update: (resource, key, change, callOptions) =>
      write(store, () => update(context, requireSubresource(resolveStrategy(resource), callOptions), key, change, callOptions)),
    patch: (resource, key, body, callOptions) =>
      write(store, () => patch(context, requireSubresource(resolveStrategy(resource), callOptions), key, body, callOptions)),
    delete: (resource, key, callOptions) => write(store, () => remove(context, resolveStrategy(resource), key, callOptions)),
    deleteCollection: (resource, selection, callOptions) =>
      write(store, () => removeCollection(context, resolveStrategy(resource), selection, callOptions)),
    bind: (key, binding, callOptions) => write(store, () => bind(context, key, binding, callOptions)),
    evict: (key, eviction, callOptions) => write(store, () => evict(context, key, eviction, callOptions)),
    collectGarbage: (onError) => collectGarbage(context, onError),
    finalizeNamespaces: () => finalizeNamespaces(context),
  };
}

/** Runs a write. Its error may depend on writes that are not saved yet, so it is thrown only after they are saved. */
async function write<T>(store: Store, run: () => Promise<T>): Promise<T> {
  store.requireRoom();
  try {
    return await run();
  } catch (error) {
    await store.waitUntilSaved();
    throw error;
  }
}

function requireSubresource(strategy: ResourceStrategy, { subresource }: UpdateOptions = {}): ResourceStrategy {
  if (subresource !== undefined && !strategy.subresources.includes(subresource)) throw noSuchResource();
  return strategy;
}
