/**
 * Tells the changes that this replica's own writes bring to its cache from those of others.
 *
 * A write's change may reach the cache before its answer arrives. So what is seen of a Service's objects while it is being written is
 * judged when the writes have ended.
 */
export interface Echoes {
  /** The writes of a Service begin. */
  begin(key: string): void;
  /**
   * A write was answered: its change is expected, unless it has been seen.
   * @param mark what it makes of the object of that name
   * @param shown whether the cache shows it so already, as it does after a write that changed nothing
   */
  wrote(key: string, name: string, mark: string, shown: boolean): void;
  /** The writes have ended. True where something else was seen meanwhile, so that the Service is to be synced again. */
  end(key: string): boolean;
  /** Whether a change that the cache shows is one's own, or will be judged when the writes have ended. */
  isOwn(key: string, name: string, mark: string): boolean;
  forget(key: string): void;
}

/** What an object is after a deletion of that uid. Otherwise marks are resourceVersions. */
export const goneMark = (uid: string): string => `gone ${uid}`;

interface Entry {
  writing: boolean;
  /** The newest mark of each object, by name. */
  readonly awaited: Map<string, string>;
  /** What was seen while writes were under way. */
  seen: { readonly name: string; readonly mark: string }[];
}

export function createEchoes(): Echoes {
  const entries = new Map<string, Entry>();
  const settle = (key: string, entry: Entry): void => {
    if (!entry.writing && entry.awaited.size === 0) entries.delete(key);
  };
  return {
    begin(key) {
      const entry = entries.get(key) ?? { writing: true, awaited: new Map(), seen: [] };
      entry.writing = true;
      entries.set(key, entry);
    },
    wrote(key, name, mark, shown) {
      const entry = entries.get(key);
      if (!entry) return;
      const before = entry.seen.length;
      entry.seen = entry.seen.filter((each) => each.name !== name || each.mark !== mark);
      if (entry.seen.length < before || shown) entry.awaited.delete(name);
      else entry.awaited.set(name, mark);
    },
    end(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      const others = entry.seen.length > 0;
      entry.writing = false;
      entry.seen = [];
      settle(key, entry);
      return others;
    },
    isOwn(key, name, mark) {
      const entry = entries.get(key);
      if (!entry) return false;
      if (entry.awaited.get(name) === mark) {
        entry.awaited.delete(name);
        settle(key, entry);
        return true;
      }
      if (entry.writing) entry.seen.push({ name, mark });
      return entry.writing;
    },
    forget: (key) => {
      entries.delete(key);
    },
  };
}
