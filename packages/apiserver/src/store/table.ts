import { createDeque } from 'kube-endpoints/internal';
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
  const waiting = new Set<() => void>();
  // Sorting after each create would slow down the next list, so new keys are merged on demand.
  let sorted: readonly string[] = [];
  let added: string[] = [];
  let removed = false;
  return {
    resource,
    versions,
    waiting,
    generation: 0,
    events: createDeque<LogEvent>(),
    sortedKeys() {
      if (removed) sorted = sorted.filter((key) => versions.has(key));
      if (added.length > 0) sorted = merge(sorted, [...new Set(added)].filter((key) => versions.has(key)).sort());
      added = [];
      removed = false;
      return sorted;
    },
    put(key, version) {
      if (!versions.has(key)) added.push(key);
      versions.set(key, version);
    },
    remove(key) {
      if (versions.delete(key)) removed = true;
      // Without a list in between, keys of deleted objects must not accumulate.
      if (added.length > 2 * versions.size + 1024) added = [...new Set(added)].filter((each) => versions.has(each));
    },
  };
}

/** Merges two sorted lists without duplicates. */
export function merge(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    const takeLeft = right === undefined || (left !== undefined && left <= right);
    if (takeLeft && left === right) j += 1;
    merged.push((takeLeft ? left : right) as string);
    if (takeLeft) i += 1;
    else j += 1;
  }
  return merged;
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
