import { hasReason, type WatchEvent, type WatchOptions } from 'kube-endpoints/port';
import { type Scope, type TestedKind, versionOf } from './kinds.ts';
import type { Random } from './random.ts';
import { list } from './reader.ts';
import type { WatchRecord } from './record.ts';
import type { RunContext } from './run-context.ts';

/** A client that watches and resumes after the end of a watch. */
export interface Watcher {
  /** The current watch. */
  readonly current: WatchRecord | undefined;
  /** Makes the watcher read as fast as possible, and end no watch by itself. */
  readFast(): void;
  /** Ends the current watch and starts no other. */
  stop(): Promise<void>;
}

/** Watches a scope from a random version. Reads slowly, and sometimes ends and resumes the watch. */
export function createWatcher(context: RunContext, kind: TestedKind, scope: Scope, random: Random): Watcher {
  const controller = new AbortController();
  const state: State = { context, kind, scope, random, controller, isFast: false, current: undefined };
  const running = run(state, randomStart(context, random)).catch((error: unknown) => {
    if (!controller.signal.aborted) context.records.problems.push(`a watch failed: ${String(error)}`);
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
  readonly context: RunContext;
  readonly kind: TestedKind;
  readonly scope: Scope;
  readonly random: Random;
  readonly controller: AbortController;
  isFast: boolean;
  current: WatchRecord | undefined;
}

/** Where a watch starts: after a version, or with the current objects as initial events. */
type WatchStart = { readonly from: number } | { readonly initial: WatchOptions };

/** The three ways to request initial events. */
const initialListOptions: readonly WatchOptions[] = [
  {},
  { resourceVersion: '0' },
  { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
];

function randomStart(context: RunContext, random: Random): WatchStart {
  if (random.chance(0.4)) return { initial: random.pick(initialListOptions) };
  return { from: random.chance(0.5) ? context.newestVersion() : random.pick(context.versions) };
}

async function run(state: State, first: WatchStart): Promise<void> {
  const { context, kind, scope, random, controller } = state;
  let watchStart = first;
  while (!controller.signal.aborted) {
    const record = await watchOnce(state, watchStart);
    if (record.state === 'expired') {
      const version = await list(context, kind, scope, random, true);
      watchStart = version === undefined ? { initial: {} } : { from: version };
    } else watchStart = nextStart(record, watchStart);
    await context.yieldRandomly(random);
  }
}

/** Resumes after the last received version. Restarts if it is unknown whether the initial objects were complete. */
function nextStart({ startVersion, events, allowsBookmarks }: WatchRecord, watchStart: WatchStart): WatchStart {
  const endIndex = events.findIndex(isInitialEventsEnd);
  if (startVersion === undefined && (!allowsBookmarks || endIndex < 0)) return watchStart;
  const lastEvent = events.at(-1);
  return { from: lastEvent ? versionOf(lastEvent.object) : (startVersion as number) };
}

const isInitialEventsEnd = ({ type, object }: WatchEvent): boolean =>
  type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';

async function watchOnce(state: State, watchStart: WatchStart): Promise<WatchRecord> {
  const { context, kind, scope, random, controller } = state;
  const { matches: _, hasNoSelector: __, ...selection } = scope;
  const from = 'from' in watchStart ? watchStart.from : undefined;
  const allowsBookmarks = random.chance(0.6);
  const startOptions = 'initial' in watchStart ? watchStart.initial : { resourceVersion: String(watchStart.from) };
  const timeout = random.chance(0.3) ? { timeoutSeconds: 1 + random.below(100) } : {};
  const options: WatchOptions = {
    ...selection,
    ...startOptions,
    ...timeout,
    allowWatchBookmarks: allowsBookmarks,
    signal: controller.signal,
  };
  const record: WatchRecord = {
    kind,
    scope,
    startVersion: from,
    allowsBookmarks,
    newestVersionAtStart: context.newestVersion(),
    events: [],
    state: 'open',
    compactedVersion: undefined,
  };
  context.records.watches.push(record);
  state.current = record;
  const maxEvents = random.chance(0.5) ? random.below(12) : Number.POSITIVE_INFINITY;
  try {
    for await (const event of context.subject.port.watch(kind.resource, options)) {
      record.events.push(event);
      if (event.type !== 'BOOKMARK') context.noteVersion(versionOf(event.object));
      if (state.isFast) continue;
      if (record.events.length >= maxEvents) break;
      await context.yieldRandomly(random);
    }
  } catch (error) {
    if (!hasReason(error, 'Expired')) throw error;
    record.compactedVersion = context.subject.compacted?.();
    record.state = 'expired';
    return record;
  }
  record.state = 'ended';
  return record;
}
