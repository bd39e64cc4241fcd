import { compareText } from '../apimachinery/compare.ts';
import { createLabelMatcher } from '../spec/select.ts';
import type { Pod, Service } from '../types/index.ts';

/** Finds the Services that select a pod, without testing all of them. */
export interface SelectorCache {
  /** Adds a Service, or replaces the one under that key. A Service without a selector selects nothing. */
  set(key: string, service: Service): void;
  delete(key: string): void;
  /** The keys of the Services that select the pod, sorted. */
  servicesFor(pod: Pod): string[];
}

/**
 * Creates an empty cache: an inverted index.
 *
 * A Service is indexed by its namespace and one pair of its selector, the pair with the fewest entries so far, so that a label
 * that all Services share does not collect them all in one bucket. The candidates for a pod are in the buckets of its own labels
 * and in the bucket of empty selectors; the full selector of each candidate is then tested.
 */
export function createSelectorCache(): SelectorCache {
  const entries = new Map<string, Entry>();
  const namespaces = new Map<string, NamespaceBuckets>();

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    removeEntry(entry, namespaces);
  };
  return {
    set(key, service) {
      remove(key);
      const selector = service.spec?.selector;
      if (!selector) return;
      const namespace = service.metadata?.namespace ?? '';
      const namespaceBuckets = getOrCreate(namespaces, namespace, () => ({
        emptySelectorEntries: new Set<Entry>(),
        entriesByLabel: new Map(),
      }));
      const [label, value] = findPairWithSmallestBucket(Object.entries(selector), namespaceBuckets) ?? [];
      const entry = { key, namespace, label, value, matches: createLabelMatcher(selector) };
      entries.set(key, entry);
      getOrCreateBucket(namespaceBuckets, entry).add(entry);
    },
    delete: remove,
    servicesFor({ metadata }) {
      const namespaceBuckets = namespaces.get(metadata?.namespace ?? '');
      if (!namespaceBuckets) return [];
      const labels = metadata?.labels ?? {};
      const keys = Array.from(namespaceBuckets.emptySelectorEntries, ({ key }) => key);
      for (const label of Object.keys(labels)) {
        const bucket = namespaceBuckets.entriesByLabel.get(label)?.get(labels[label] as string);
        if (bucket) for (const { key, matches } of bucket) if (matches(labels)) keys.push(key);
      }
      return keys.length > 1 ? keys.sort(compareText) : keys;
    },
  };
}

/** A Service and its bucket: a label and its value, both undefined if its selector is empty. */
interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly label: string | undefined;
  readonly value: string | undefined;
  readonly matches: ReturnType<typeof createLabelMatcher>;
}

/** The buckets of a namespace. */
interface NamespaceBuckets {
  readonly emptySelectorEntries: Set<Entry>;
  readonly entriesByLabel: Map<string, Map<string, Set<Entry>>>;
}

/** Returns the bucket of an entry; creates the bucket if absent. */
function getOrCreateBucket(namespaceBuckets: NamespaceBuckets, { label, value }: Entry): Set<Entry> {
  if (label === undefined) return namespaceBuckets.emptySelectorEntries;
  const values = getOrCreate(namespaceBuckets.entriesByLabel, label, () => new Map<string, Set<Entry>>());
  return getOrCreate(values, value ?? '', () => new Set<Entry>());
}

/** Removes an entry, and the buckets that become empty. */
function removeEntry(entry: Entry, namespaces: Map<string, NamespaceBuckets>): void {
  const namespaceBuckets = namespaces.get(entry.namespace) as NamespaceBuckets;
  const bucket = getOrCreateBucket(namespaceBuckets, entry);
  bucket.delete(entry);
  if (entry.label !== undefined && bucket.size === 0) {
    const values = namespaceBuckets.entriesByLabel.get(entry.label);
    values?.delete(entry.value ?? '');
    if (values?.size === 0) namespaceBuckets.entriesByLabel.delete(entry.label);
  }
  if (namespaceBuckets.emptySelectorEntries.size === 0 && namespaceBuckets.entriesByLabel.size === 0) namespaces.delete(entry.namespace);
}

/** Finds the pair of a selector whose bucket has the fewest entries; undefined for an empty selector. */
function findPairWithSmallestBucket(
  pairs: readonly [string, string][],
  { entriesByLabel }: NamespaceBuckets,
): [string, string] | undefined {
  const sizeOf = ([label, value]: readonly [string, string]): number => entriesByLabel.get(label)?.get(value)?.size ?? 0;
  return pairs.reduce<[string, string] | undefined>((best, pair) => (best && sizeOf(best) <= sizeOf(pair) ? best : pair), undefined);
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = create();
  map.set(key, value);
  return value;
}
