import { type ApiObject, type CallOptions, type ClientPort, type ObjectKey, resources, type WriteOptions } from '../../port/index.ts';
import { badRequest } from '../store/index.ts';
import { noSuchResource } from './errors.ts';
import { idOf } from './identity.ts';
import type { Registry } from './registry.ts';

export interface InProcessOptions {
  /** Whether writes through this port keep managed fields. By default, as the registry does. */
  readonly managesFields?: boolean;
}

/**
 * The registry as a port: an API server without the HTTP.
 *
 * What is answered is frozen where it is stored, so that nobody changes what others read. A write that has begun is not undone by its
 * signal; one that has not begun is not made.
 */
export function createInProcessPort(registry: Registry, always: InProcessOptions = {}): ClientPort {
  const { store } = registry;
  return {
    async get(resource, key, options = {}) {
      begin(registry, resource, options);
      await store.untilFresh(options.resourceVersion, options.signal);
      return registry.storeFor(resource).get(resource, key, options);
    },
    async list(resource, options = {}) {
      begin(registry, resource, options);
      await store.untilFresh(options.resourceVersion, options.signal);
      return registry.storeFor(resource).list(resource, options);
    },
    watch(resource, options = {}) {
      return registry.storeFor(resource).watch(resource, options);
    },
    async create(resource, object, options = {}) {
      begin(registry, resource, options);
      const { namespace, name } = object.metadata;
      if (options.subresource !== undefined) {
        if (idOf(resource) !== idOf(resources.pods)) throw noSuchResource();
        const key = keyOf(namespace, name ?? '');
        if (options.subresource === 'binding') return registry.bind(key, object, options);
        if (options.subresource === 'eviction') return (await registry.evict(key, object, options)).object;
        throw noSuchResource();
      }
      return registry.create(resource, namespace, object, { ...always, ...options });
    },
    async update(resource, object, options = {}) {
      begin(registry, resource, options);
      return registry.update(resource, requiredKey(object), () => object, {
        ...always,
        ...writeOptions(options),
        ...preconditionsOf(object),
      });
    },
    async patch(resource, key, patch, options) {
      begin(registry, resource, options);
      return registry.patch(resource, key, patch, { ...always, ...options });
    },
    async delete(resource, key, options = {}) {
      begin(registry, resource, options);
      return (await registry.delete(resource, key, options)).object;
    },
    async deleteCollection(resource, selection = {}, options = {}) {
      begin(registry, resource, options);
      return registry.deleteCollection(resource, selection, options);
    },
  };
}

function begin(registry: Registry, resource: Parameters<Registry['strategyFor']>[0], { signal }: CallOptions): void {
  signal?.throwIfAborted();
  registry.strategyFor(resource);
}

/** Without a name there is no path to write to. */
function requiredKey({ metadata: { namespace, name } }: ApiObject): ObjectKey {
  if (!name) throw badRequest('name must be provided');
  return keyOf(namespace, name);
}

const keyOf = (namespace: string | undefined, name: string): ObjectKey => (namespace ? { namespace, name } : { name });

/** A uid in an update has to be that of the object there is. */
const preconditionsOf = ({ metadata: { uid } }: ApiObject): { readonly preconditions?: { readonly uid: string } } =>
  uid ? { preconditions: { uid } } : {};

function writeOptions({ signal: _, ...options }: WriteOptions): Omit<WriteOptions, 'signal'> {
  return options;
}
