import { compareText, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache, Change } from './controller.ts';

/** A cache that its host fills, like the stores of a controller's informers. */
export interface ObjectCache extends Cache {
  /** Stores an object of a list or watch, and returns the change for the controller. */
  put(object: ApiObject): Change;
  /** Removes an object. `object` is its last state, with the resourceVersion of the deletion. */
  remove(object: ApiObject): Change;
  /** Sets the resourceVersion of a kind, for an empty list. */
  setResourceVersion(kind: string, version: string): void;
}

/** Creates an empty cache. */
export function createCache(): ObjectCache {
  const kinds = new Map<string, KindCache>();
  const cacheOf = (kind: string): KindCache => {
    const found = kinds.get(kind) ?? { objects: new Map(), lists: new Map(), version: '' };
    kinds.set(kind, found);
    return found;
  };
  return {
    get: <T extends ApiObject>(kind: string, namespace: string, name: string) =>
      kinds.get(kind)?.objects.get(namespace === '' ? name : `${namespace}/${name}`) as T | undefined,
    list: <T extends ApiObject>(kind: string, namespace?: string) =>
      listWhere(
        cacheOf(kind),
        namespace ?? '*',
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      ) as readonly T[],
    controlledBy: <T extends ApiObject>(kind: string, namespace: string, uid: string | undefined) =>
      listWhere(
        cacheOf(kind),
        `${namespace}/${uid ?? ''}`,
        (object) => object.metadata.namespace === namespace && controllerUidOf(object) === uid,
      ) as readonly T[],
    resourceVersion: (kind) => cacheOf(kind).version,
    setResourceVersion(kind, version) {
      cacheOf(kind).version = version;
    },
    put(object) {
      const kind = object.kind as string;
      const cache = cacheOf(kind);
      const key = metaNamespaceKey(object.metadata);
      const previous = cache.objects.get(key);
      cache.objects.set(key, object);
      update(cache, object);
      return { kind, ...(previous && { previous }), current: object };
    },
    remove(object) {
      const kind = object.kind as string;
      const cache = cacheOf(kind);
      cache.objects.delete(metaNamespaceKey(object.metadata));
      update(cache, object);
      return { kind, previous: object };
    },
  };
}

interface KindCache {
  readonly objects: Map<string, ApiObject>;
  /** Sorted lists since the last change, by their condition. */
  readonly lists: Map<string, readonly ApiObject[]>;
  version: string;
}

function update(cache: KindCache, { metadata }: ApiObject): void {
  cache.lists.clear();
  cache.version = metadata.resourceVersion ?? cache.version;
}

function listWhere(cache: KindCache, condition: string, matches: (object: ApiObject) => boolean): readonly ApiObject[] {
  let list = cache.lists.get(condition);
  if (!list) {
    list = [...cache.objects]
      .filter(([, object]) => matches(object))
      .sort(([a], [b]) => compareText(a, b))
      .map(([, object]) => object);
    cache.lists.set(condition, list);
  }
  return list;
}

const controllerUidOf = ({ metadata }: ApiObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.['uid'] as string | undefined;
