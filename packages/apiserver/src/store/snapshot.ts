import { firstAfter } from './log.ts';
import type { StoredVersion, Table } from './records.ts';
import { lowerBound, merge } from './table.ts';

/** The objects of a table as they were at one revision. */
export interface View {
  /** Sorted. */
  readonly keys: readonly string[];
  get(key: string): StoredVersion | undefined;
}

/**
 * Shows a table as of a revision that the log still reaches: what is there now, and on top of it what the log says was there
 * before the events since. A page of a list over an old snapshot costs as much as has been written since, and writes cost nothing.
 */
export function viewAt(table: Table, revision: number): View {
  const { versions, events } = table;
  const before = new Map<string, StoredVersion | undefined>();
  const first = firstAfter(table, revision);
  for (let number = events.end - 1; number >= first; number--) {
    const { key, previous } = events.at(number);
    before.set(key, previous);
  }
  const keys = table.sortedKeys();
  if (before.size === 0) return { keys, get: (key) => versions.get(key) };
  return {
    keys: keysOf(keys, before),
    get: (key) => (before.has(key) ? before.get(key) : versions.get(key)),
  };
}

/** The keys of now, without what was not there, with what was. */
function keysOf(keys: readonly string[], before: ReadonlyMap<string, StoredVersion | undefined>): readonly string[] {
  const gone = [...before].filter(([key, version]) => version !== undefined && keys[lowerBound(keys, key)] !== key).map(([key]) => key);
  const kept = keys.filter((key) => !before.has(key) || before.get(key) !== undefined);
  return gone.length === 0 ? kept : merge(kept, gone.sort());
}
