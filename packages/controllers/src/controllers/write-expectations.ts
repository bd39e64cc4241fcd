/**
 * Distinguishes cache changes that this replica's own writes cause from changes by others.
 *
 * A write is expected from its answer until the cache shows it, even if the Service is deleted or changes owner meanwhile. The cache may
 * show a change before the write is answered: changes that arrive while a Service is being written are classified when its writes have
 * ended.
 */
export interface WriteExpectations {
  /** The writes for a Service begin. */
  begin(key: string): void;
  /**
   * A write was answered: its change is expected, unless the cache has shown it already.
   * @param version the new resourceVersion of the object of that name, or `deletionVersion` of its uid after a deletion
   * @param isCached whether the cache already shows that version, as after a write that changed nothing
   */
  recordWrite(key: string, name: string, version: string, isCached: boolean): void;
  /** The writes have ended. Returns true if another client may have written meanwhile: the Service must be synced again. */
  end(key: string): boolean;
  /** Returns the origin of a change that the cache shows. An expected change is expected only once. */
  observe(key: string, name: string, version: string): Origin;
  /** Whether the cache is known to be older than this replica's writes. */
  isPending(key: string): boolean;
  /** A sync found nothing to write, in a cache that does not show the expected writes: they are `superseded` when it does. */
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

/**
 * `own`: this replica's write, or a change during writes, which `end` classifies. `superseded`: this replica's write, but no longer
 * desired.
 */
export type Origin = 'own' | 'superseded' | 'other';

/** Represents the deletion of a uid as a version. All other versions are resourceVersions. */
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
  observed: { readonly name: string; readonly version: string }[];
}

export function createWriteExpectations(): WriteExpectations {
  const entries = new Map<string, Entry>();
  const removeIfSettled: RemoveIfSettled = (key, entry) => {
    if (!entry.writing && entry.pending.size === 0) entries.delete(key);
  };
  return {
    begin(key) {
      const entry = entries.get(key) ?? { writing: true, listed: false, pending: new Map(), observed: [] };
      entry.writing = true;
      entry.listed = false;
      entries.set(key, entry);
    },
    recordWrite(key, name, version, isCached) {
      const entry = entries.get(key);
      if (!entry) return;
      const previousCount = entry.observed.length;
      entry.observed = entry.observed.filter((change) => change.name !== name || change.version !== version);
      if (entry.observed.length < previousCount || isCached) entry.pending.delete(name);
      else entry.pending.set(name, { version, superseded: false, listed: false });
    },
    end(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      const others = entry.observed.length > 0 || (entry.listed && entry.pending.size > 0);
      entry.writing = false;
      entry.observed = [];
      removeIfSettled(key, entry);
      return others;
    },
    observe(key, name, version) {
      const entry = entries.get(key);
      if (!entry) return 'other';
      const pending = entry.pending.get(name);
      if (pending?.version === version) {
        entry.pending.delete(name);
        removeIfSettled(key, entry);
        return pending.superseded ? 'superseded' : 'own';
      }
      if (entry.writing) entry.observed.push({ name, version });
      return entry.writing ? 'own' : 'other';
    },
    ...pendingMethods(entries, removeIfSettled),
    ...listMethods(entries, removeIfSettled),
  };
}

type Entries = ReadonlyMap<string, Entry>;
type RemoveIfSettled = (key: string, entry: Entry) => void;

const pendingMethods = (
  entries: Entries,
  removeIfSettled: RemoveIfSettled,
): Pick<WriteExpectations, 'isPending' | 'supersede' | 'abandon'> => ({
  isPending: (key) => (entries.get(key)?.pending.size ?? 0) > 0,
  supersede(key) {
    for (const pending of entries.get(key)?.pending.values() ?? []) pending.superseded = true;
  },
  abandon(key) {
    const entry = entries.get(key);
    entry?.pending.clear();
    if (entry) removeIfSettled(key, entry);
  },
});

function listMethods(entries: Entries, removeIfSettled: RemoveIfSettled): Pick<WriteExpectations, 'listStarted' | 'listCompleted'> {
  return {
    listStarted() {
      for (const { pending } of entries.values()) for (const change of pending.values()) change.listed = true;
    },
    listCompleted() {
      const keysToSync: string[] = [];
      for (const [key, entry] of entries) {
        entry.listed = true;
        if (entry.pending.size > 0) keysToSync.push(key);
        for (const [name, { listed }] of entry.pending) if (listed) entry.pending.delete(name);
        removeIfSettled(key, entry);
      }
      return keysToSync;
    },
  };
}
