/**
 * Distinguishes cache changes that this replica's own writes cause from changes by others.
 *
 * A write is expected from its answer until the cache shows it, even if the Service is deleted or changes owner meanwhile. The cache may
 * show a change before the write is answered: changes that arrive while a Service is being written are judged when its writes have ended.
 */
export interface Echoes {
  /** The writes for a Service begin. */
  begin(key: string): void;
  /**
   * A write was answered: its change is expected, unless the cache has shown it already.
   * @param mark the new resourceVersion of the object of that name, or `goneMark` of its uid after a deletion
   * @param shown whether the cache already shows that version, as after a write that changed nothing
   */
  wrote(key: string, name: string, mark: string, shown: boolean): void;
  /** The writes have ended. Returns true if another client may have written meanwhile: the Service must be synced again. */
  end(key: string): boolean;
  /** Returns the origin of a change that the cache shows. If the change was expected, it no longer is. */
  originOf(key: string, name: string, mark: string): Origin;
  /** Whether the cache is known to be older than this replica's writes. */
  awaits(key: string): boolean;
  /** A sync found nothing to write, in a cache that does not show the expected writes: they are `overtaken` when it does. */
  overtake(key: string): void;
  /** A list that will fill the cache begins. */
  listBegins(): void;
  /**
   * The cache shows a list. Returns the Services with expected writes that it does not show: these are still to come, or were undone
   * unobserved. Writes that ended before the list began are no longer expected.
   */
  listShown(): string[];
  /** Expects no more writes of a Service: the cache will not show them. */
  giveUp(key: string): void;
}

/** `own`: this replica's write, or to be judged when the writes have ended. `overtaken`: this replica's write, but no longer desired. */
export type Origin = 'own' | 'overtaken' | 'other';

/** The mark of an object after the deletion of that uid. All other marks are resourceVersions. */
export const goneMark = (uid: string): string => `gone ${uid}`;

interface Awaited {
  readonly mark: string;
  overtaken: boolean;
  /** Whether a list has begun since the write: it shows the write, unless that was undone. */
  listed: boolean;
}

interface Entry {
  writing: boolean;
  /** Whether a list has filled the cache while writes were under way. */
  listed: boolean;
  /** The newest expected write of each object, by name. */
  readonly awaited: Map<string, Awaited>;
  /** Changes that the cache showed while writes were under way. */
  seen: { readonly name: string; readonly mark: string }[];
}

export function createEchoes(): Echoes {
  const entries = new Map<string, Entry>();
  const settle: Settle = (key, entry) => {
    if (!entry.writing && entry.awaited.size === 0) entries.delete(key);
  };
  return {
    begin(key) {
      const entry = entries.get(key) ?? { writing: true, listed: false, awaited: new Map(), seen: [] };
      entry.writing = true;
      entry.listed = false;
      entries.set(key, entry);
    },
    wrote(key, name, mark, shown) {
      const entry = entries.get(key);
      if (!entry) return;
      const before = entry.seen.length;
      entry.seen = entry.seen.filter((each) => each.name !== name || each.mark !== mark);
      if (entry.seen.length < before || shown) entry.awaited.delete(name);
      else entry.awaited.set(name, { mark, overtaken: false, listed: false });
    },
    end(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      const others = entry.seen.length > 0 || (entry.listed && entry.awaited.size > 0);
      entry.writing = false;
      entry.seen = [];
      settle(key, entry);
      return others;
    },
    originOf(key, name, mark) {
      const entry = entries.get(key);
      if (!entry) return 'other';
      const awaited = entry.awaited.get(name);
      if (awaited?.mark === mark) {
        entry.awaited.delete(name);
        settle(key, entry);
        return awaited.overtaken ? 'overtaken' : 'own';
      }
      if (entry.writing) entry.seen.push({ name, mark });
      return entry.writing ? 'own' : 'other';
    },
    ...waitingOf(entries, settle),
    ...listsOf(entries, settle),
  };
}

type Entries = ReadonlyMap<string, Entry>;
type Settle = (key: string, entry: Entry) => void;

const waitingOf = (entries: Entries, settle: Settle): Pick<Echoes, 'awaits' | 'overtake' | 'giveUp'> => ({
  awaits: (key) => (entries.get(key)?.awaited.size ?? 0) > 0,
  overtake(key) {
    for (const awaited of entries.get(key)?.awaited.values() ?? []) awaited.overtaken = true;
  },
  giveUp(key) {
    const entry = entries.get(key);
    entry?.awaited.clear();
    if (entry) settle(key, entry);
  },
});

function listsOf(entries: Entries, settle: Settle): Pick<Echoes, 'listBegins' | 'listShown'> {
  return {
    listBegins() {
      for (const { awaited } of entries.values()) for (const each of awaited.values()) each.listed = true;
    },
    listShown() {
      const due: string[] = [];
      for (const [key, entry] of entries) {
        entry.listed = true;
        if (entry.awaited.size > 0) due.push(key);
        for (const [name, { listed }] of entry.awaited) if (listed) entry.awaited.delete(name);
        settle(key, entry);
      }
      return due;
    },
  };
}
