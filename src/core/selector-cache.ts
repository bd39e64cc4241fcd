import type { Pod, Service } from '../types/index.ts';
import { matcherOf } from './select.ts';
import { compareText } from './text.ts';

/** Which Services select a pod, without asking them all. */
export interface SelectorCache {
  /** Puts a Service in, in place of what was there under that key. One without a selector selects nothing. */
  set(key: string, service: Service): void;
  delete(key: string): void;
  /** The keys of the Services that select the pod, sorted. */
  servicesFor(pod: Pod): string[];
}

interface Entry {
  readonly key: string;
  readonly matches: ReturnType<typeof matcherOf>;
  /** Where the entry is filed. */
  readonly drawer: Set<Entry>;
  readonly empty: () => void;
}

/**
 * An inverted index. A Service is filed under its namespace and one pair of its selector, the one under which fewest are
 * filed already, so that a label that all Services share does not gather them in one drawer. A pod's Services are found
 * in the drawers of its own labels, and in the one for empty selectors; each candidate is then matched in full.
 */
export function createSelectorCache(): SelectorCache {
  const entries = new Map<string, Entry>();
  const drawers = new Map<string, Set<Entry>>();

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    entry.drawer.delete(entry);
    if (entry.drawer.size === 0) entry.empty();
  };
  const open = (name: string): Set<Entry> => {
    const drawer = drawers.get(name) ?? new Set();
    drawers.set(name, drawer);
    return drawer;
  };
  return {
    set(key, service) {
      remove(key);
      const selector = service.spec?.selector;
      if (!selector) return;
      const namespace = service.metadata?.namespace ?? '';
      const names = Object.entries(selector).map(([label, value]) => drawerName(namespace, label, value));
      const name = emptiest(names, drawers) ?? drawerForAll(namespace);
      const entry = { key, matches: matcherOf(selector), drawer: open(name), empty: () => drawers.delete(name) };
      entry.drawer.add(entry);
      entries.set(key, entry);
    },
    delete: remove,
    servicesFor(pod) {
      const namespace = pod.metadata?.namespace ?? '';
      const labels = pod.metadata?.labels ?? {};
      const found: string[] = [];
      const look = (name: string): void => {
        for (const { key, matches } of drawers.get(name) ?? []) if (matches(labels)) found.push(key);
      };
      look(drawerForAll(namespace));
      for (const label of Object.keys(labels)) look(drawerName(namespace, label, labels[label] as string));
      return found.length > 1 ? found.sort(compareText) : found;
    },
  };
}

/** NUL can be in no label, value or namespace, so that two different drawers never share a name. */
const drawerName = (namespace: string, label: string, value: string): string => `${namespace}\0${label}\0${value}`;
const drawerForAll = (namespace: string): string => namespace;

function emptiest(names: readonly string[], drawers: ReadonlyMap<string, ReadonlySet<Entry>>): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const filed = drawers.get(name)?.size ?? 0;
    if (filed < fewest) [best, fewest] = [name, filed];
  }
  return best;
}
