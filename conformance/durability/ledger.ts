import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from 'kube-endpoints/port';
import { type Kind, markOf, type Write } from './kinds.ts';

/** What clients know about one object, which only one client writes. */
export interface Entry {
  readonly kind: Kind;
  readonly name: string;
  /** The newest state that a client has seen, in an answer or a watch event; undefined if absent. */
  object: ApiObject | undefined;
  /** The version of that state, or of the deletion. */
  version: number;
  /** A write without an answer. */
  pending?: Write;
}

/** Records what clients have seen, and compares it with a restarted server. */
export interface Ledger {
  entry(kind: Kind, name: string): Entry;
  /** Records a state from an answer or a watch event. Older states are ignored. */
  see(kind: Kind, name: string, object: ApiObject | undefined, version: number): void;
  /** Records any version that a client has seen. */
  seeVersion(version: number): void;
  /** Compares the objects of a kind after a restart, and takes them over. Returns the problems. */
  compare(kind: Kind, objects: readonly ApiObject[], version: number): string[];
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  let maxVersion = 0;
  const entryOf = (kind: Kind, name: string): Entry => {
    const id = `${kind.kind} ${name}`;
    const entry = entries.get(id) ?? { kind, name, object: undefined, version: 0 };
    entries.set(id, entry);
    return entry;
  };
  const seeVersion = (version: number): void => {
    maxVersion = Math.max(maxVersion, version);
  };
  return {
    entry: entryOf,
    seeVersion,
    see(kind, name, object, version) {
      seeVersion(version);
      const entry = entryOf(kind, name);
      if (version <= entry.version) return;
      Object.assign(entry, { object: object && withoutType(object), version });
    },
    compare(kind, objects, version) {
      const problems = version < maxVersion ? [`version ${version} is older than ${maxVersion}, which a client has seen`] : [];
      const objectsByName = new Map(objects.map((object) => [object.metadata.name ?? '', withoutType(object)]));
      for (const name of objectsByName.keys()) entryOf(kind, name);
      for (const entry of entries.values()) {
        if (entry.kind !== kind) continue;
        const object = objectsByName.get(entry.name);
        const problem = problemOf(entry, object);
        if (problem !== undefined) problems.push(`${kind.kind} ${entry.name}: ${problem}`);
        entry.object = object;
        entry.version = object ? versionOf(object) : Math.max(entry.version, version);
        delete entry.pending;
      }
      return problems;
    },
  };
}

/** The items of a list have no type. */
function withoutType({ apiVersion: _, kind: __, ...object }: ApiObject): ApiObject {
  return object;
}

export const versionOf = ({ metadata }: ApiObject): number => Number(metadata.resourceVersion);

function problemOf({ kind, object: seen, version, pending }: Entry, object: ApiObject | undefined): string | undefined {
  const describe = (each: ApiObject | undefined): string => (each ? `mark ${markOf(each)} at version ${versionOf(each)}` : 'absent');
  if (isDeepStrictEqual(object, seen)) return undefined;
  // The complete result of the write without an answer.
  if (pending?.isResult(object) && (!object || versionOf(object) > version)) return undefined;
  const isSuperseded = kind.hasBackgroundWrites && isWrittenByServer(seen, object, version);
  return isSuperseded ? undefined : `expected ${describe(seen)}${pending ? ' or the pending write' : ''}, found ${describe(object)}`;
}

/** Whether the server itself may have changed the seen state: it sets the status, and completes a deletion. */
function isWrittenByServer(seen: ApiObject | undefined, object: ApiObject | undefined, version: number): boolean {
  if (!object) return seen === undefined || seen.metadata.deletionTimestamp !== undefined;
  return versionOf(object) > version && (seen === undefined || markOf(seen) === markOf(object));
}
