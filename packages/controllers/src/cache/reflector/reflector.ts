import type { Selection } from 'kube-endpoints/internal';
import type { ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import { pause } from '../../base/time.ts';
import type { Store } from '../store.ts';
import { type ListSource, listAll, listByStream } from './list.ts';
import { type OpenWatch, openWatch, readEvent, type WatchSource } from './open-watch.ts';
import { decide, firstStage, type Listing, type ListingWay, type Outcome, type Stage, type Waiting, type Watching } from './stage.ts';

export interface ReflectorOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly pageSize: number;
  /** Whether to list by a watch where the server does that. */
  readonly streams: boolean;
  readonly store: Pick<Store<unknown>, 'put' | 'remove' | 'begin'>;
  /** Told of every stage as it begins; of a wait, how long it is. */
  entered(stage: Stage, delay?: number): void;
  /** Told that the store is complete, each time that it was filled. */
  filled(): void;
}

/** Keeps a store like the server's objects. */
export interface Reflector {
  /** Until the signal is aborted. Goes on from where the run before ended. Does not reject. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Makes a reflector: lists, watches from there, and whatever goes wrong, goes on from the last version that it saw, or lists again
 * where that cannot be. What to do next is decided by `decide` alone.
 *
 * Does the work of Reflector (client-go 1.36, tools/cache/reflector.go). It differs in that a watch which fails is resumed, where
 * client-go lists anew after most errors, and in that a list always asks for the newest version, page by page.
 */
export function createReflector(options: ReflectorOptions): Reflector {
  const { clock, random, entered } = options;
  const backoff = createBackoff(clock, random);
  let { streams } = options;
  let version: string | undefined;
  const seen = (at: string): void => {
    version = at;
  };
  const wait = async ({ pace, ...stage }: Waiting, signal: AbortSignal): Promise<Outcome> => {
    const delay = Math.max(pace.growing ? backoff.grow() : backoff.least(), pace.atLeast);
    entered({ pace, ...stage }, delay);
    await pause(clock, delay, signal);
    return { kind: 'waited' };
  };
  const act = async (stage: Listing | Watching | Waiting, signal: AbortSignal): Promise<Outcome> => {
    if (stage.state === 'waiting') return wait(stage, signal);
    entered(stage);
    if (stage.state === 'listing') return fill(stage.by, options, signal, seen);
    return follow(sourceOf(options, signal), stage, { ...options, timeoutSeconds: drawTimeout(random), seen });
  };
  return {
    async run(signal) {
      let stage: Listing | Watching | Waiting = firstStage(version, streams);
      while (!signal.aborted) {
        const outcome = await act(stage, signal);
        ({ stage, streams } = decide(stage, outcome, streams));
      }
      if (stage.state === 'watching') await stage.open?.close();
      entered({ state: 'stopped' });
    },
  };
}

/** Fills the store anew, in one step once all is there. Does not throw. */
async function fill(by: ListingWay, options: ReflectorOptions, signal: AbortSignal, seen: (version: string) => void): Promise<Outcome> {
  const { store, selection, pageSize, random, filled } = options;
  const source = sourceOf(options, signal);
  const draft = store.begin();
  try {
    let open: OpenWatch | undefined;
    let version: string;
    if (by === 'stream') ({ version, open } = await listByStream(source, selection, drawTimeout(random), draft));
    else version = await listAll(source, by === 'pages' ? pageSize : 0, draft.put);
    if (signal.aborted) return { kind: 'listed', version, open };
    draft.commit();
    seen(version);
    filled();
    return { kind: 'listed', version, open };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

const sourceOf = ({ port, clock, resource, selection }: ReflectorOptions, signal: AbortSignal): WatchSource & ListSource => ({
  port,
  clock,
  resource,
  selection,
  signal,
});

/** From 5 to 10 minutes, so that the watches of many clients do not end together. */
const drawTimeout = (random: () => number): number => 300 + Math.floor(random() * 301);

/** How long to wait before the next attempt. */
export interface Backoff {
  /** Grows from call to call, until all has been well for a while. */
  grow(): number;
  /** The shortest wait: nothing grows of it. */
  least(): number;
}

/**
 * The delays of client-go's reflector: from 800 ms doubled up to 30 s, each lengthened at random up to twice itself; from the
 * beginning again once no delay has been asked for within two minutes of the last one's end. Measured in time that passed, so that
 * a clock that is set changes nothing.
 *
 * Mirrors the delayHandler of NewReflectorWithOptions (client-go 1.36, tools/cache/reflector.go), which begins anew every two minutes.
 */
export function createBackoff(clock: Pick<SteadyClock, 'elapsed'>, random: () => number): Backoff {
  let next = first;
  let over = Number.NEGATIVE_INFINITY;
  return {
    grow() {
      const now = clock.elapsed();
      if (now - over >= reset) next = first;
      const delay = jittered(next, random);
      over = now + delay;
      next = Math.min(next * 2, most);
      return delay;
    },
    least: () => jittered(first, random),
  };
}

const first = 800;
const most = 30_000;
const reset = 120_000;

const jittered = (milliseconds: number, random: () => number): number => milliseconds * (1 + random());

export interface FollowOptions {
  readonly selection: Selection;
  /** After how many seconds the server is to end the watch. */
  readonly timeoutSeconds: number;
  readonly store: Pick<Store<unknown>, 'put' | 'remove'>;
  /** Told the version of each event that was taken in. */
  seen(version: string): void;
}

/** Takes in what a watch tells, from a version on, until it ends in whatever way. Does not throw. */
export async function follow(source: WatchSource, stage: Watching, options: FollowOptions): Promise<Outcome> {
  const { clock, resource, signal } = source;
  const { selection, timeoutSeconds, store, seen } = options;
  let version = stage.from;
  let open: OpenWatch | undefined;
  try {
    open = stage.open ?? openWatch(source, { ...selection, resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds });
    const watch = open;
    const { openedAt, lasts } = watch;
    watch.patience(() => Math.max(openedAt + lasts, watch.heardAt) + margin);
    for (;;) {
      const event = await watch.next();
      // Where the event and the signal came at once, nothing is told any more.
      if (signal.aborted) return { kind: 'failed', error: signal.reason, version };
      if (!event) return { kind: 'ended', version, moved: version !== stage.from, milliseconds: clock.elapsed() - openedAt };
      const read = readEvent(event);
      if (!read) return { kind: 'failed', error: new Error(`an event of ${resource.plural} says nothing: ${event.type}`), lost: true };
      if (read.type === 'DELETED') store.remove(read.object);
      else if (read.type !== 'BOOKMARK') store.put(read.object);
      version = read.version;
      seen(version);
    }
  } catch (error) {
    return { kind: 'failed', error, version };
  } finally {
    await open?.close();
  }
}

/** How much longer than it was to last a watch may be silent. */
const margin = 30_000;
