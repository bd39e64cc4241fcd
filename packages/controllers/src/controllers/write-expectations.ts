/**
 * Distinguishes cache changes that this replica's own writes cause from changes by others.
 *
 * A write is expected from its answer until the cache shows it, even if the Service is deleted or changes owner meanwhile. The cache may
 * show a change before the write is answered. Changes that arrive during the writes for a Service are therefore classified when these
 * writes have ended.
 */
export interface WriteExpectations {
  /** Call before the writes for a Service begin. */
  begin(key: string): void;
  /**
   * Call when a write was answered. Its change is expected unless the cache has shown it already.
   * @param version the new resourceVersion of the object of that name, or `deletionVersion` of its uid after a deletion
   * @param isCached whether the cache already shows that version, as after a write that changed nothing
   */
  recordWrite(key: string, name: string, version: string, isCached: boolean): void;
  /** Call when the writes have ended. Returns true if another client may have written meanwhile, so that a new sync is required. */
  end(key: string): boolean;
  /** Returns the origin of a change that the cache shows. An expected change is expected only once. */
  observe(key: string, name: string, version: string): Origin;
  /** Whether the cache is known to be older than this replica's writes. */
  isPending(key: string): boolean;
  /** Call if a sync found nothing to write before the cache showed the expected writes. Their origin is then `superseded`. */
  supersede(key: string): void;
  /** Call when a list that will fill the cache begins. */
  listStarted(): void;
  /**
   * Call when the cache shows a list. Returns the keys of Services with expected writes that the list does not show: these writes arrive
   * later, or another client has undone them. Writes that ended before the list began are no longer expected.
   */
  listCompleted(): string[];
  /** Stops expecting the writes for a Service. Call if the cache will not show them. */
  abandon(key: string): void;
}

/**
 * `own`: this replica's write, or a change during its writes, which `end` classifies. `superseded`: this replica's write, which is no
 * longer desired. `other`: another client's write.
 */
export type Origin = 'own' | 'superseded' | 'other';

/** Represents the deletion of a uid as a version. All other versions are resourceVersions. */
export const deletionVersion = (uid: string): string => `gone ${uid}`;

interface Expectation {
  readonly version: string;
  superseded: boolean;
  /** Whether a list has begun since the write. Such a list shows the write unless it was undone. */
  listed: boolean;
}

/** The writes for one Service. */
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
  const removeIfIdle: RemoveIfIdle = (key, entry) => {
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
      const mayHaveOtherWrites = entry.observed.length > 0 || (entry.listed && entry.pending.size > 0);
      entry.writing = false;
      entry.observed = [];
      removeIfIdle(key, entry);
      return mayHaveOtherWrites;
    },
    observe(key, name, version) {
      const entry = entries.get(key);
      if (!entry) return 'other';
      const pending = entry.pending.get(name);
      if (pending?.version === version) {
        entry.pending.delete(name);
        removeIfIdle(key, entry);
        return pending.superseded ? 'superseded' : 'own';
      }
      if (entry.writing) entry.observed.push({ name, version });
      return entry.writing ? 'own' : 'other';
    },
    ...pendingMethods(entries, removeIfIdle),
    ...listMethods(entries, removeIfIdle),
  };
}

type Entries = ReadonlyMap<string, Entry>;
type RemoveIfIdle = (key: string, entry: Entry) => void;

const pendingMethods = (entries: Entries, removeIfIdle: RemoveIfIdle): Pick<WriteExpectations, 'isPending' | 'supersede' | 'abandon'> => ({
  isPending: (key) => (entries.get(key)?.pending.size ?? 0) > 0,
  supersede(key) {
    for (const pending of entries.get(key)?.pending.values() ?? []) pending.superseded = true;
  },
  abandon(key) {
    const entry = entries.get(key);
    entry?.pending.clear();
    if (entry) removeIfIdle(key, entry);
  },
});

function listMethods(entries: Entries, removeIfIdle: RemoveIfIdle): Pick<WriteExpectations, 'listStarted' | 'listCompleted'> {
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
        removeIfIdle(key, entry);
      }
      return keysToSync;
    },
  };
}
