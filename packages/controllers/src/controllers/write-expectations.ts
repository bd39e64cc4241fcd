/**
 * Distinguishes cache changes that this replica's own writes cause from changes by others.
 *
 * A write is expected from its answer until the cache shows it, even if the Service is deleted or changes owner meanwhile. The cache may
 * show a change before the write is answered: changes that arrive while a Service is being written are judged when its writes have ended.
 */
export interface WriteExpectations {
  /** The writes for a Service begin. */
  begin(key: string): void;
  /**
   * A write was answered: its change is expected, unless the cache has shown it already.
   * @param version the new resourceVersion of the object of that name, or `deletionVersion` of its uid after a deletion
   * @param isCached whether the cache already shows that version, as after a write that changed nothing
   */
  wrote(key: string, name: string, version: string, isCached: boolean): void;
  /** The writes have ended. Returns true if another client may have written meanwhile: the Service must be synced again. */
  end(key: string): boolean;
  /** Returns the origin of a change that the cache shows. If the change was expected, it no longer is. */
  observe(key: string, name: string, version: string): Origin;
  /** Whether the cache is known to be older than this replica's writes. */
  isPending(key: string): boolean;
  /** A sync found nothing to write, in a cache that does not show the expected writes: they are `overtaken` when it does. */
  supersede(key: string): void;
  /** A list that will fill the cache begins. */
  listStarted(): void;
  /**
   * The cache shows a list. Returns the Services with expected writes that it does not show: these are still to come, or were undone
   * unobserved. Writes that ended before the list began are no longer expected.
   */
  listCompleted(): string[];
  /** Expects no more writes of a Service: the cache will not show them. */
  abandon(key: string): void;
}

/** `own`: this replica's write, or to be judged when the writes have ended. `overtaken`: this replica's write, but no longer desired. */
export type Origin = 'own' | 'superseded' | 'other';

/** The version of an object after the deletion of that uid. All other versions are resourceVersions. */
export const deletionVersion = (uid: string): string => `gone ${uid}`;

interface Expectation {
  readonly version: string;
  superseded: boolean;
  /** Whether a list has begun since the write: it shows the write, unless that was undone. */
  listed: boolean;
}

interface Entry {
  writing: boolean;
  /** Whether a list has filled the cache while writes were under way. */
  listed: boolean;
  /** The newest expected write of each object, by name. */
  readonly pending: Map<string, Expectation>;
  /** Changes that the cache showed while writes were under way. */
  seen: { readonly name: string; readonly version: string }[];
}

export function createWriteExpectations(): WriteExpectations {
  const entries = new Map<string, Entry>();
  const settle: Settle = (key, entry) => {
    if (!entry.writing && entry.pending.size === 0) entries.delete(key);
  };
  return {
    begin(key) {
      const entry = entries.get(key) ?? { writing: true, listed: false, pending: new Map(), seen: [] };
      entry.writing = true;
      entry.listed = false;
      entries.set(key, entry);
    },
    wrote(key, name, version, isCached) {
      const entry = entries.get(key);
      if (!entry) return;
      const before = entry.seen.length;
      entry.seen = entry.seen.filter((each) => each.name !== name || each.version !== version);
      if (entry.seen.length < before || isCached) entry.pending.delete(name);
      else entry.pending.set(name, { version, superseded: false, listed: false });
    },
    end(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      const others = entry.seen.length > 0 || (entry.listed && entry.pending.size > 0);
      entry.writing = false;
      entry.seen = [];
      settle(key, entry);
      return others;
    },
    observe(key, name, version) {
      const entry = entries.get(key);
      if (!entry) return 'other';
      const pending = entry.pending.get(name);
      if (pending?.version === version) {
        entry.pending.delete(name);
        settle(key, entry);
        return pending.superseded ? 'superseded' : 'own';
      }
      if (entry.writing) entry.seen.push({ name, version });
      return entry.writing ? 'own' : 'other';
    },
    ...pendingMethods(entries, settle),
    ...listMethods(entries, settle),
  };
}

type Entries = ReadonlyMap<string, Entry>;
type Settle = (key: string, entry: Entry) => void;

const pendingMethods = (entries: Entries, settle: Settle): Pick<WriteExpectations, 'isPending' | 'supersede' | 'abandon'> => ({
  isPending: (key) => (entries.get(key)?.pending.size ?? 0) > 0,
  supersede(key) {
    for (const pending of entries.get(key)?.pending.values() ?? []) pending.superseded = true;
  },
  abandon(key) {
    const entry = entries.get(key);
    entry?.pending.clear();
    if (entry) settle(key, entry);
  },
});

function listMethods(entries: Entries, settle: Settle): Pick<WriteExpectations, 'listStarted' | 'listCompleted'> {
  return {
    listStarted() {
      for (const { pending } of entries.values()) for (const each of pending.values()) each.listed = true;
    },
    listCompleted() {
      const due: string[] = [];
      for (const [key, entry] of entries) {
        entry.listed = true;
        if (entry.pending.size > 0) due.push(key);
        for (const [name, { listed }] of entry.pending) if (listed) entry.pending.delete(name);
        settle(key, entry);
      }
      return due;
    },
  };
}
