import type { SteadyClock } from 'kube-endpoints/port';
import type { Endpoints, EndpointsInput, Optional, StringMap } from 'kube-endpoints/types';

/** Creations of Endpoints that have had no answer: whether there is anything of them, or will be, is not known. */
export interface Unanswered {
  add(key: string, sent: Endpoints): void;
  /** What became of those that were to make this is known; of all, where nothing is given. */
  drop(key: string, there?: EndpointsInput): void;
  /** Whether there are any, unless that is long ago. */
  has(key: string): boolean;
  /** Whether Endpoints are just as they were to be made. */
  isOf(key: string, there: EndpointsInput): boolean;
}

/** Milliseconds for which a creation is remembered. A dead connection is noticed, and a write has arrived, in less. */
const remembered = 1_800_000;

/** How many are remembered of one Service, so that a server that never answers costs no more. */
const most = 8;

interface Creation {
  readonly text: string;
  readonly at: number;
}

export function createUnanswered(clock: Pick<SteadyClock, 'elapsed'>): Unanswered {
  const creations = new Map<string, readonly Creation[]>();
  const keep = (key: string, wanted: (creation: Creation) => boolean): readonly Creation[] => {
    const all = creations.get(key) ?? [];
    const kept = all.filter((creation) => clock.elapsed() - creation.at < remembered && wanted(creation));
    if (kept.length === 0) creations.delete(key);
    else if (kept.length < all.length) creations.set(key, kept);
    return kept;
  };
  const recent = (key: string): readonly Creation[] => keep(key, () => true);
  return {
    add(key, sent) {
      for (const other of creations.keys()) recent(other);
      const text = textOf(sent);
      const others = keep(key, (creation) => creation.text !== text);
      creations.set(key, [...others.slice(1 - most), { text, at: clock.elapsed() }]);
    },
    drop(key, there) {
      const text = there && textOf(there);
      keep(key, (creation) => text !== undefined && creation.text !== text);
    },
    has: (key) => recent(key).length > 0,
    isOf(key, there) {
      const known = recent(key);
      return known.length > 0 && known.some(({ text }) => text === textOf(there));
    },
  };
}

/** What was sent of Endpoints, or is there: fields in one order, for a server sorts labels and annotations. */
const textOf = ({ metadata, subsets = [] }: EndpointsInput): string =>
  JSON.stringify([sorted(metadata?.labels), sorted(metadata?.annotations), subsets]);

const sorted = (map: Optional<StringMap>): readonly unknown[] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
