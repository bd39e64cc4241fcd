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
  hasListBegun: boolean;
}

/** The writes for one Service. */
interface ServiceEntry {
  isWriting: boolean;
  /** Whether a list has filled the cache while writes were under way. */
  hasListCompleted: boolean;
  /** The newest expected write of each object, by name. */
  readonly expectedWrites: Map<string, Expectation>;
  /** Changes that the cache showed while writes were under way. */
  observedChanges: { readonly name: string; readonly version: string }[];
}

export function createWriteExpectations(): WriteExpectations {
  const entries = new Map<string, ServiceEntry>();
  const removeIfIdle: RemoveIfIdle = (key, entry) => {
    if (!entry.isWriting && entry.expectedWrites.size === 0) entries.delete(key);
  };
  return {
    begin(key) {
      const entry = entries.get(key) ?? { isWriting: true, hasListCompleted: false, expectedWrites: new Map(), observedChanges: [] };
      entry.isWriting = true;
      entry.hasListCompleted = false;
      entries.set(key, entry);
    },
    recordWrite(key, name, version, isCached) {
      const entry = entries.get(key);
      if (!entry) return;
      const previousCount = entry.observedChanges.length;
      entry.observedChanges = entry.observedChanges.filter((change) => change.name !== name || change.version !== version);
      if (entry.observedChanges.length < previousCount || isCached) entry.expectedWrites.delete(name);
      else entry.expectedWrites.set(name, { version, superseded: false, hasListBegun: false });
    },
    end(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      const mayHaveOtherWrites = entry.observedChanges.length > 0 || (entry.hasListCompleted && entry.expectedWrites.size > 0);
      entry.isWriting = false;
      entry.observedChanges = [];
      removeIfIdle(key, entry);
      return mayHaveOtherWrites;
    },
    observe(key, name, version) {
      const entry = entries.get(key);
      if (!entry) return 'other';
      const expectation = entry.expectedWrites.get(name);
      if (expectation?.version === version) {
        entry.expectedWrites.delete(name);
        removeIfIdle(key, entry);
        return expectation.superseded ? 'superseded' : 'own';
      }
      if (entry.isWriting) entry.observedChanges.push({ name, version });
      return entry.isWriting ? 'own' : 'other';
    },
    ...createPendingMethods(entries, removeIfIdle),
    ...createListMethods(entries, removeIfIdle),
  };
}

type Entries = ReadonlyMap<string, ServiceEntry>;
type RemoveIfIdle = (key: string, entry: ServiceEntry) => void;

const createPendingMethods = (
  entries: Entries,
  removeIfIdle: RemoveIfIdle,
): Pick<WriteExpectations, 'isPending' | 'supersede' | 'abandon'> => ({
  isPending: (key) => (entries.get(key)?.expectedWrites.size ?? 0) > 0,
  supersede(key) {
    for (const expectation of entries.get(key)?.expectedWrites.values() ?? []) expectation.superseded = true;
  },
  abandon(key) {
    const entry = entries.get(key);
    entry?.expectedWrites.clear();
    if (entry) removeIfIdle(key, entry);
  },
});

function createListMethods(entries: Entries, removeIfIdle: RemoveIfIdle): Pick<WriteExpectations, 'listStarted' | 'listCompleted'> {
  return {
    listStarted() {
      for (const { expectedWrites } of entries.values()) for (const expectation of expectedWrites.values()) expectation.hasListBegun = true;
    },
    listCompleted() {
      const keysToSync: string[] = [];
      for (const [key, entry] of entries) {
        entry.hasListCompleted = true;
        if (entry.expectedWrites.size > 0) keysToSync.push(key);
        for (const [name, { hasListBegun }] of entry.expectedWrites) if (hasListBegun) entry.expectedWrites.delete(name);
        removeIfIdle(key, entry);
      }
      return keysToSync;
    },
  };
}
