import { setTimeout } from 'node:timers/promises';
import type { ApiObject } from 'kube-endpoints/port';
import { type Access, readWatch, type WatchLine } from './client.ts';
import type { Kind } from './kinds.ts';
import { type Ledger, versionOf } from './ledger.ts';
import { hasOneWriter } from './shared.ts';

/** A client that follows a kind by watches over restarts, and checks that no event is missing, repeated or out of order. */
export interface Watcher {
  /** Starts with the objects of a list. */
  start(objects: readonly ApiObject[], version: number): void;
  /** Opens a watch from the last version; ends when the connection ends or `signal` aborts. */
  follow(access: Access, signal: AbortSignal): Promise<void>;
  /** Waits until the events lead to the objects of the server, or the watch has expired. @returns a problem after ten seconds */
  waitFor(list: () => Promise<readonly ApiObject[]>): Promise<string | undefined>;
  /** Problems since the last call. */
  takeProblems(): string[];
  readonly hasStarted: boolean;
  /** Whether the last watch failed with 410 Gone, so that a new list is needed. */
  readonly isExpired: boolean;
}

const maxWaitMs = 10_000;
const pollMs = 20;

interface State {
  readonly kind: Kind;
  readonly ledger: Ledger;
  /** The version of each object, by name. */
  readonly versions: Map<string, number>;
  lastVersion: number;
  isExpired: boolean;
  problems: string[];
}

function applyLine(state: State, { type, object }: WatchLine): void {
  const { kind, ledger, versions, lastVersion } = state;
  const report = (problem: string): void => void state.problems.push(`watch of ${kind.kind}: ${problem}`);
  if (type === 'ERROR') {
    if (object.code === 410) state.isExpired = true;
    else report(JSON.stringify(object));
    return;
  }
  const version = versionOf(object);
  const { name = '' } = object.metadata;
  ledger.seeVersion(version);
  state.lastVersion = Math.max(lastVersion, version);
  if (type === 'BOOKMARK') return;
  if (version <= lastVersion) report(`${type} ${name} at ${version} after ${lastVersion}`);
  if (versions.has(name) !== (type !== 'ADDED')) report(`unexpected ${type} ${name} at ${version}`);
  if (type === 'DELETED') versions.delete(name);
  else versions.set(name, version);
  if (hasOneWriter(name)) ledger.see(kind, name, type === 'DELETED' ? undefined : object, version);
}

export function createWatcher(kind: Kind, ledger: Ledger): Watcher {
  const state: State = { kind, ledger, versions: new Map(), lastVersion: 0, isExpired: false, problems: [] };
  const { versions } = state;
  return {
    get hasStarted() {
      return state.lastVersion > 0;
    },
    get isExpired() {
      return state.isExpired;
    },
    start(objects, version) {
      versions.clear();
      for (const object of objects) versions.set(object.metadata.name ?? '', versionOf(object));
      Object.assign(state, { lastVersion: version, isExpired: false });
    },
    follow: (access, signal) =>
      readWatch(
        access,
        `${kind.path}?watch=true&allowWatchBookmarks=true&resourceVersion=${state.lastVersion}`,
        (line) => applyLine(state, line),
        signal,
      ),
    async waitFor(list) {
      for (const end = performance.now() + maxWaitMs; performance.now() < end; await setTimeout(pollMs)) {
        if (state.isExpired) return undefined;
        const objects = await list();
        const isEqual = (object: ApiObject): boolean => versions.get(object.metadata.name ?? '') === versionOf(object);
        if (objects.length === versions.size && objects.every(isEqual)) return undefined;
      }
      return `watch of ${kind.kind}: events are missing after version ${state.lastVersion}`;
    },
    takeProblems() {
      return state.problems.splice(0);
    },
  };
}
