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
    const found = kinds.get(kind) ?? { objects: new Map(), indexes: new Map(), version: '' };
    kinds.set(kind, found);
    return found;
  };
  return {
    get: <T extends ApiObject>(kind: string, namespace: string, name: string) =>
      kinds.get(kind)?.objects.get(namespace === '' ? name : `${namespace}/${name}`) as T | undefined,
    list: <T extends ApiObject>(kind: string, namespace?: string) => listIndexed(cacheOf(kind), namespace ?? everything) as readonly T[],
    controlledBy: <T extends ApiObject>(kind: string, namespace: string, uid: string | undefined) =>
      listIndexed(cacheOf(kind), controllerIndexKey(namespace, uid)) as readonly T[],
    resourceVersion: (kind) => cacheOf(kind).version,
    setResourceVersion(kind, version) {
      cacheOf(kind).version = version;
    },
    put(object) {
      const kind = object.kind as string;
      const previous = store(cacheOf(kind), object, object);
      return { kind, ...(previous && { previous }), current: object };
    },
    remove(object) {
      const kind = object.kind as string;
      store(cacheOf(kind), object, undefined);
      return { kind, previous: object };
    },
  };
}

interface KindCache {
  readonly objects: Map<string, ApiObject>;
  /** The indexes that were read: keys of `indexKeysOf` to their objects. */
  readonly indexes: Map<string, ObjectIndex>;
  version: string;
}

/** Objects in the order of their keys. */
interface ObjectIndex {
  readonly keys: string[];
  /** The objects; undefined since the last change. */
  list: readonly ApiObject[] | undefined;
}

/** Stores or removes an object, and returns its previous state. */
function store(cache: KindCache, { metadata }: ApiObject, next: ApiObject | undefined): ApiObject | undefined {
  const key = metaNamespaceKey(metadata);
  const previous = cache.objects.get(key);
  if (next) cache.objects.set(key, next);
  else cache.objects.delete(key);
  cache.version = metadata.resourceVersion ?? cache.version;
  if (cache.indexes.size === 0) return previous;
  const [before, after] = [previous ? indexKeysOf(previous) : [], next ? indexKeysOf(next) : []];
  for (const name of before) if (!after.includes(name)) changeIndex(cache.indexes.get(name), key, 'remove');
  for (const name of after) changeIndex(cache.indexes.get(name), key, before.includes(name) ? 'replace' : 'add');
  return previous;
}

function changeIndex(index: ObjectIndex | undefined, key: string, change: 'add' | 'remove' | 'replace'): void {
  if (!index) return;
  index.list = undefined;
  if (change === 'replace') return;
  const position = findPosition(index.keys, key);
  if (change === 'add') index.keys.splice(position, 0, key);
  else index.keys.splice(position, 1);
}

/** The position of the first key that is not smaller. */
function findPosition(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(keys[middle] as string, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listIndexed({ objects, indexes }: KindCache, name: string): readonly ApiObject[] {
  let index = indexes.get(name);
  if (!index) {
    const found = [...objects].filter(([, object]) => indexKeysOf(object).includes(name)).map(([key]) => key);
    index = { keys: found.sort(compareText), list: undefined };
    indexes.set(name, index);
  }
  index.list ??= index.keys.map((key) => objects.get(key) as ApiObject);
  return index.list;
}

const everything = '*';

/** The indexes that contain an object: all objects, its namespace, and its controller in the namespace. */
function indexKeysOf(object: ApiObject): readonly string[] {
  const known = indexKeys.get(object);
  if (known) return known;
  const { namespace = '' } = object.metadata;
  const keys = [everything, namespace, controllerIndexKey(namespace, controllerUidOf(object))];
  indexKeys.set(object, keys);
  return keys;
}

/** The caches of all controllers contain the same objects. */
const indexKeys = new WeakMap<ApiObject, readonly string[]>();

const controllerIndexKey = (namespace: string, uid: string | undefined): string => `${namespace}/${uid ?? ''}`;

const controllerUidOf = ({ metadata }: ApiObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.['uid'] as string | undefined;
