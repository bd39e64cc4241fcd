import { createDeque } from 'kube-endpoints/internal/apimachinery';
import type { ObjectKey, Resource } from 'kube-endpoints/port';
import type { LogEvent, StoredVersion, Table } from './records.ts';

/** The key of an object in its table; lists are sorted by it. */
export const keyOf = ({ namespaced }: Resource, { namespace = '', name }: ObjectKey): string =>
  namespaced ? `${namespace}/${name}` : name;

/** The key prefix of a namespace; empty for all namespaces. */
export const prefixOf = ({ namespaced }: Resource, namespace: string | undefined): string =>
  namespaced && namespace ? `${namespace}/` : '';

export function createTable(resource: Resource): Table {
  const versions = new Map<string, StoredVersion>();
  const waiters = new Set<() => void>();
  // Sorting after each create would slow down the next list, so new keys are merged on demand.
  let sortedCache: readonly string[] = [];
  let addedKeys: string[] = [];
  let hasRemovedKeys = false;
  return {
    resource,
    versions,
    waiters,
    generation: 0,
    pendingCount: 0,
    events: createDeque<LogEvent>(),
    sortedKeys() {
      if (hasRemovedKeys) sortedCache = sortedCache.filter((key) => versions.has(key));
      if (addedKeys.length > 0) sortedCache = merge(sortedCache, [...new Set(addedKeys)].filter((key) => versions.has(key)).sort());
      addedKeys = [];
      hasRemovedKeys = false;
      return sortedCache;
    },
    put(key, version) {
      if (!versions.has(key)) addedKeys.push(key);
      versions.set(key, version);
    },
    remove(key) {
      if (versions.delete(key)) hasRemovedKeys = true;
      // Keys of objects that are created and deleted must not accumulate until the next list.
      if (addedKeys.length > 2 * versions.size + 1024) addedKeys = [...new Set(addedKeys)].filter((each) => versions.has(each));
    },
  };
}

/** The number after the newest event of the table's log that readers may see. */
export const publishedEndOf = ({ events, pendingCount }: Table): number => events.endIndex - pendingCount;

/** The version of an object that readers may see. */
export function findPublished(table: Table, key: string): StoredVersion | undefined {
  const { events, versions } = table;
  if (table.pendingCount === 0) return versions.get(key);
  for (let number = publishedEndOf(table); number < events.endIndex; number++) {
    const event = events.at(number);
    if (event.key === key) return event.previous;
  }
  return versions.get(key);
}

/** Merges two sorted lists without duplicates. */
export function merge(a: readonly string[], b: readonly string[]): string[] {
  const mergedKeys: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    const takeLeft = right === undefined || (left !== undefined && left <= right);
    if (takeLeft && left === right) j += 1;
    mergedKeys.push((takeLeft ? left : right) as string);
    if (takeLeft) i += 1;
    else j += 1;
  }
  return mergedKeys;
}

/** Index of the first key that is not less than the given one. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
