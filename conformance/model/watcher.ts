import { hasReason, type WatchEvent, type WatchOptions } from 'kube-endpoints/port';
import { type PlayKind, type Scope, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import { list } from './reader.ts';
import type { WatchRecord } from './record.ts';
import type { World } from './world.ts';

/** A client that watches, and resumes after the end of a watch. */
export interface Watcher {
  /** The current watch. */
  readonly current: WatchRecord | undefined;
  /** From now on, reads as fast as possible and ends no watch by itself. */
  readFast(): void;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Watches a part of a resource from any version: slowly, and sometimes ending and resuming watches. */
export function createWatcher(world: World, kind: PlayKind, scope: Scope, random: Random): Watcher {
  const controller = new AbortController();
  const state: State = { world, kind, scope, random, controller, isFast: false, current: undefined };
  const running = run(state, beginningOf(world, random)).catch((error: unknown) => {
    if (!controller.signal.aborted) world.records.problems.push(`a watch failed: ${String(error)}`);
  });
  return {
    get current() {
      return state.current;
    },
    readFast() {
      state.isFast = true;
    },
    async stop() {
      controller.abort();
      await running;
    },
  };
}

interface State {
  readonly world: World;
  readonly kind: PlayKind;
  readonly scope: Scope;
  readonly random: Random;
  readonly controller: AbortController;
  isFast: boolean;
  current: WatchRecord | undefined;
}

/** Starts at a version, or with all objects, which can be requested in three ways. */
type Beginning = { readonly from: number } | { readonly initial: WatchOptions };

const initially: readonly WatchOptions[] = [
  {},
  { resourceVersion: '0' },
  { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
];

function beginningOf(world: World, random: Random): Beginning {
  if (random.chance(0.4)) return { initial: random.pick(initially) };
  return { from: random.chance(0.5) ? world.now() : random.pick(world.versions) };
}

async function run(state: State, first: Beginning): Promise<void> {
  const { world, kind, scope, random, controller } = state;
  let beginning = first;
  while (!controller.signal.aborted) {
    const record = await watchOnce(state, beginning);
    if (record.state === 'expired') {
      const version = await list(world, kind, scope, random, true);
      beginning = version === undefined ? { initial: {} } : { from: version };
    } else beginning = nextOf(record, beginning);
    await world.yieldRandomly(random);
  }
}

/** Resumes after the last received version. Restarts if it is unknown whether the initial objects were complete. */
function nextOf({ from, events, bookmarks }: WatchRecord, beginning: Beginning): Beginning {
  const ends = events.findIndex(isEndOfInitial);
  if (from === undefined && (!bookmarks || ends < 0)) return beginning;
  const last = events.at(-1);
  return { from: last ? versionOf(last.object) : (from as number) };
}

const isEndOfInitial = ({ type, object }: WatchEvent): boolean =>
  type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';

async function watchOnce(state: State, beginning: Beginning): Promise<WatchRecord> {
  const { world, kind, scope, random, controller } = state;
  const { matches: _, whole: __, ...selection } = scope;
  const from = 'from' in beginning ? beginning.from : undefined;
  const bookmarks = random.chance(0.6);
  const start = 'initial' in beginning ? beginning.initial : { resourceVersion: String(beginning.from) };
  const timeout = random.chance(0.3) ? { timeoutSeconds: 1 + random.below(100) } : {};
  const options: WatchOptions = { ...selection, ...start, ...timeout, allowWatchBookmarks: bookmarks, signal: controller.signal };
  const record: WatchRecord = { kind, scope, from, bookmarks, low: world.now(), events: [], state: 'open', compacted: undefined };
  world.records.watches.push(record);
  state.current = record;
  const maxEvents = random.chance(0.5) ? random.below(12) : Number.POSITIVE_INFINITY;
  try {
    for await (const event of world.subject.port.watch(kind.resource, options)) {
      record.events.push(event);
      if (event.type !== 'BOOKMARK') world.saw(versionOf(event.object));
      if (state.isFast) continue;
      if (record.events.length >= maxEvents) break;
      await world.yieldRandomly(random);
    }
  } catch (error) {
    if (!hasReason(error, 'Expired')) throw error;
    record.compacted = world.subject.compacted?.();
    record.state = 'expired';
    return record;
  }
  record.state = 'ended';
  return record;
}
