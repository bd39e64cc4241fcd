import type { ApiObject, ObjectList, Resource } from 'kube-endpoints/port';
import { failure } from '../store/errors.ts';
import { createStore, notFound, type Store } from '../store/index.ts';

/** The condition of each component. The server has its own store instead of etcd, and does not probe other programs. */
const conditions: Readonly<Record<string, object>> = {
  'controller-manager': { type: 'Healthy', status: 'Unknown', error: 'this server does not probe kube-controller-manager' },
  'etcd-0': { type: 'Healthy', status: 'True', message: 'ok' },
  scheduler: { type: 'Healthy', status: 'Unknown', error: 'this server does not probe kube-scheduler' },
};

/** Creates a read-only store of ComponentStatuses, which upstream computes for each request (pkg/registry/core/componentstatus, 1.36). */
export function createComponentStatusStore(store: Store, resource: Resource): Store {
  const { kind } = resource;
  const statuses = createStore();
  for (const [name, condition] of Object.entries(conditions)) {
    statuses.create(resource, { name }, { apiVersion: 'v1', kind, metadata: { name }, conditions: [condition] } as ApiObject);
  }
  // Computed objects have no versions.
  const toComputed = (object: ApiObject): ApiObject => ({ ...object, metadata: { name: object.metadata.name ?? '' } });
  const refuse = (): never => {
    throw failure(405, 'MethodNotAllowed', `${resource.plural} are read-only`, { kind: resource.plural });
  };
  const find: Store['find'] = (_, key) => {
    const object = statuses.find(resource, key);
    return object && toComputed(object);
  };
  return {
    ...store,
    get revision() {
      return store.revision;
    },
    find,
    get(_, key) {
      const object = find(resource, key);
      if (!object) throw notFound({ ...resource, plural: 'componentstatus' }, key.name);
      return object;
    },
    list(_, { labelSelector, fieldSelector } = {}): ObjectList {
      const { items } = statuses.list(resource, { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) });
      return { items: items.map(toComputed), metadata: {} as ObjectList['metadata'] };
    },
    watch: refuse,
    create: refuse,
    update: refuse,
    delete: refuse,
  };
}
