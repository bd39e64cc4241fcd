import type {
  ApiObject,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchOptions,
  Resource,
  WriteOptions,
} from '../../port/index.ts';
import { type Clock, type Store, systemClock } from '../store/index.ts';
import { bind } from './binding.ts';
import { type Admission, idOf, type RegistryContext, strategyFor } from './context.ts';
import { type CreateOptions, create } from './create.ts';
import { type Deleted, remove, removeCollection } from './delete.ts';
import { noSuchResource } from './errors.ts';
import { collectGarbage } from './garbage.ts';
import { finalizeNamespaces } from './namespace-controller.ts';
import { patch } from './patch.ts';
import { type Randomness, systemRandomness } from './randomness.ts';
import type { ResourceStrategy } from './strategy.ts';
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
  readonly store: Store;
  /** Those that are served. */
  readonly resources: readonly Resource[];
  /** @throws ApiError NotFound where the resource is not served */
  strategyFor(resource: Resource): ResourceStrategy;
  /** Serves another resource from now on, or one of the same name differently. */
  serve(strategy: ResourceStrategy): void;
  /** Ceases to serve a resource. What is stored of it stays until it is deleted. */
  withdraw(resource: Resource): void;
  create(resource: Resource, namespace: string | undefined, object: ApiObject, options?: CreateOptions): Promise<ApiObject>;
  /** Where there is nothing, `change` is asked only if the resource may be created by an update. */
  update(resource: Resource, key: ObjectKey, change: Change, options?: UpdateOptions): Promise<ApiObject>;
  patch(resource: Resource, key: ObjectKey, patch: unknown, options: PatchOptions & Pick<UpdateOptions, 'warn'>): Promise<ApiObject>;
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<Deleted>;
  deleteCollection(resource: Resource, selection: ListOptions, options?: DeleteOptions): Promise<ObjectList>;
  /** Gives a pod its node: the subresource `binding`. */
  bind(pod: ObjectKey, binding: ApiObject, options?: Pick<WriteOptions, 'dryRun'>): Promise<ApiObject>;
  /** A round of the garbage collector. How many writes it took. */
  collectGarbage(): Promise<number>;
  /** A round of the namespace controller. How many namespaces are gone by it. */
  finalizeNamespaces(): Promise<number>;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { store, strategies, clock = systemClock, randomness = systemRandomness, admission = {}, managesFields = false } = options;
  const byId = new Map(strategies.map((strategy) => [idOf(strategy.resource), strategy]));
  const context: RegistryContext = { store, clock, randomness, admission, managesFields, strategies: byId };
  const find = (resource: Resource): ResourceStrategy => strategyFor(context, resource);
  return {
    store,
    get resources() {
      return [...byId.values()].map(({ resource }) => resource);
    },
    strategyFor: find,
    serve: (strategy) => void byId.set(idOf(strategy.resource), strategy),
    withdraw: (resource) => void byId.delete(idOf(resource)),
    create: async (resource, namespace, object, given) => create(context, find(resource), namespace, object, given),
    update: async (resource, key, change, given) => update(context, withSubresource(find(resource), given), key, change, given),
    patch: async (resource, key, given, how) => patch(context, withSubresource(find(resource), how), key, given, how),
    delete: async (resource, key, given) => remove(context, find(resource), key, given),
    deleteCollection: async (resource, selection, given) => removeCollection(context, find(resource), selection, given),
    bind: async (key, binding, given) => bind(context, key, binding, given),
    collectGarbage: () => collectGarbage(context),
    finalizeNamespaces: () => finalizeNamespaces(context),
  };
}

function withSubresource(strategy: ResourceStrategy, { subresource }: UpdateOptions = {}): ResourceStrategy {
  if (subresource !== undefined && !strategy.subresources.includes(subresource)) throw noSuchResource();
  return strategy;
}
