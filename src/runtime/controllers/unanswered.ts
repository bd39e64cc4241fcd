import type { Endpoints, EndpointsInput, Optional, StringMap } from '../../types/index.ts';
import type { RuntimeClock } from '../clock.ts';

/** Creations of Endpoints that have had no answer: whether there is anything of them, or will be, is not known. */
export interface Unanswered {
  add(key: string, sent: Endpoints): void;
  /** What became of it is known. */
  drop(key: string): void;
  /** What was sent, unless that is long ago. */
  get(key: string): Endpoints | undefined;
  /** Whether Endpoints are just as they were to be made. */
  isOf(key: string, there: EndpointsInput): boolean;
}

/** Milliseconds for which a creation is remembered. A dead connection is noticed, and a write has arrived, in less. */
const remembered = 1_800_000;

export function createUnanswered(clock: Pick<RuntimeClock, 'elapsed'>): Unanswered {
  const entries = new Map<string, { readonly sent: Endpoints; readonly at: number }>();
  const get = (key: string): Endpoints | undefined => {
    const entry = entries.get(key);
    return entry && clock.elapsed() - entry.at < remembered ? entry.sent : undefined;
  };
  return {
    add(key, sent) {
      for (const [other, { at }] of entries) if (clock.elapsed() - at >= remembered) entries.delete(other);
      entries.set(key, { sent, at: clock.elapsed() });
    },
    drop: (key) => void entries.delete(key),
    get,
    isOf(key, there) {
      const sent = get(key);
      return sent !== undefined && textOf(there) === textOf(sent);
    },
  };
}

/** What was sent of Endpoints, or is there: fields in one order, for a server sorts labels and annotations. */
const textOf = ({ metadata, subsets = [] }: EndpointsInput): string =>
  JSON.stringify([sorted(metadata?.labels), sorted(metadata?.annotations), subsets]);

const sorted = (map: Optional<StringMap>): readonly unknown[] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
