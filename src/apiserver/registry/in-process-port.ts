import { type ApiObject, type CallOptions, type ClientPort, type ObjectKey, resources, type WriteOptions } from '../../port/index.ts';
import { badRequest } from '../store/index.ts';
import { idOf } from './context.ts';
import { noSuchResource } from './errors.ts';
import type { Registry } from './registry.ts';

/**
 * The registry as a port: an API server without the HTTP.
 *
 * What is answered is frozen where it is stored, so that nobody changes what others read. A write that has begun is not undone by its
 * signal; one that has not begun is not made.
 */
export function createInProcessPort(registry: Registry): ClientPort {
  const { store } = registry;
  return {
    async get(resource, key, options = {}) {
      begin(registry, resource, options);
      await store.untilFresh(options.resourceVersion, options.signal);
      return store.get(resource, key, options);
    },
    async list(resource, options = {}) {
      begin(registry, resource, options);
      await store.untilFresh(options.resourceVersion, options.signal);
      return store.list(resource, options);
    },
    watch(resource, options = {}) {
      registry.strategyFor(resource);
      return store.watch(resource, options);
    },
    async create(resource, object, options = {}) {
      begin(registry, resource, options);
      const { namespace, name } = object.metadata;
      if (options.subresource !== undefined) {
        if (options.subresource !== 'binding' || idOf(resource) !== idOf(resources.pods)) throw noSuchResource();
        return registry.bind(keyOf(namespace, name ?? ''), object, options);
      }
      return registry.create(resource, namespace, object, options);
    },
    async update(resource, object, options = {}) {
      begin(registry, resource, options);
      return registry.update(resource, requiredKey(object), () => object, { ...writeOptions(options), ...preconditionsOf(object) });
    },
    async patch(resource, key, patch, options) {
      begin(registry, resource, options);
      return registry.patch(resource, key, patch, options);
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
