import { compareText } from '../apimachinery/compare.ts';
import { matcherOf } from '../spec/select.ts';
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
  const cabinets = new Map<string, Cabinet>();

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    takeOut(entry, cabinets);
  };
  return {
    set(key, service) {
      remove(key);
      const selector = service.spec?.selector;
      if (!selector) return;
      const namespace = service.metadata?.namespace ?? '';
      const cabinet = at(cabinets, namespace, () => ({ everyPod: new Set<Entry>(), labels: new Map() }));
      const [label, value] = emptiest(Object.entries(selector), cabinet) ?? [];
      const entry = { key, namespace, label, value, matches: matcherOf(selector) };
      entries.set(key, entry);
      drawerOf(cabinet, entry).add(entry);
    },
    delete: remove,
    servicesFor({ metadata }) {
      const cabinet = cabinets.get(metadata?.namespace ?? '');
      if (!cabinet) return [];
      const labels = metadata?.labels ?? {};
      const found = Array.from(cabinet.everyPod, ({ key }) => key);
      for (const label of Object.keys(labels)) {
        const drawer = cabinet.labels.get(label)?.get(labels[label] as string);
        if (drawer) for (const { key, matches } of drawer) if (matches(labels)) found.push(key);
      }
      return found.length > 1 ? found.sort(compareText) : found;
    },
  };
}

/** A Service and its bucket: a label and its value, both undefined if its selector is empty. */
interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly label: string | undefined;
  readonly value: string | undefined;
  readonly matches: ReturnType<typeof matcherOf>;
}

/** The buckets of a namespace. */
interface Cabinet {
  readonly everyPod: Set<Entry>;
  readonly labels: Map<string, Map<string, Set<Entry>>>;
}

function drawerOf(cabinet: Cabinet, { label, value }: Entry): Set<Entry> {
  if (label === undefined) return cabinet.everyPod;
  const values = at(cabinet.labels, label, () => new Map<string, Set<Entry>>());
  return at(values, value ?? '', () => new Set<Entry>());
}

/** Removes an entry, and the buckets that become empty. */
function takeOut(entry: Entry, cabinets: Map<string, Cabinet>): void {
  const cabinet = cabinets.get(entry.namespace) as Cabinet;
  const drawer = drawerOf(cabinet, entry);
  drawer.delete(entry);
  if (entry.label !== undefined && drawer.size === 0) {
    const values = cabinet.labels.get(entry.label);
    values?.delete(entry.value ?? '');
    if (values?.size === 0) cabinet.labels.delete(entry.label);
  }
  if (cabinet.everyPod.size === 0 && cabinet.labels.size === 0) cabinets.delete(entry.namespace);
}

/** The pair of a selector whose bucket has the fewest entries. */
function emptiest(pairs: readonly [string, string][], { labels }: Cabinet): [string, string] | undefined {
  const filed = ([label, value]: readonly [string, string]): number => labels.get(label)?.get(value)?.size ?? 0;
  return pairs.reduce<[string, string] | undefined>((best, pair) => (best && filed(best) <= filed(pair) ? best : pair), undefined);
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
