/**
 * Tells the changes that this replica's own writes bring to its cache from those of others.
 *
 * A write is awaited from its answer until the cache shows it, whatever becomes of its Service meanwhile. Its change may reach the cache
 * before the answer, too: what is seen of a Service's objects while it is being written is judged when the writes have ended.
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
  /** The writes have ended. True where something else may have happened meanwhile, so that the Service is to be synced again. */
  end(key: string): boolean;
  /** Whose a change is that the cache shows. It is awaited no longer then. */
  originOf(key: string, name: string, mark: string): Origin;
  /** Whether the cache is known to be older than what was written. */
  awaits(key: string): boolean;
  /** The Service was found to be as it should be, by a cache that does not show what is awaited now. */
  overtake(key: string): void;
  /** The cache is going to be filled by a list. */
  listBegins(): void;
  /**
   * The cache shows a list. Answers with the Services of which it does not show all that is awaited: that will come yet, or has been
   * undone while nobody looked. What was written before the list began is awaited no longer.
   */
  listShown(): string[];
  /** What is awaited of a Service will not come. */
  giveUp(key: string): void;
}

/** `own` is also what will be judged when the writes have ended; `overtaken` what is this replica's own, and no longer what is due. */
export type Origin = 'own' | 'overtaken' | 'other';

/** What an object is after a deletion of that uid. Otherwise marks are resourceVersions. */
export const goneMark = (uid: string): string => `gone ${uid}`;

interface Awaited {
  readonly mark: string;
  overtaken: boolean;
  /** Whether a list has begun since, which shows it unless it has been undone. */
  listed: boolean;
}

interface Entry {
  writing: boolean;
  /** Whether the cache has been filled by a list while writes were under way. */
  listed: boolean;
  /** The newest write of each object, by name. */
  readonly awaited: Map<string, Awaited>;
  /** What was seen while writes were under way. */
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
