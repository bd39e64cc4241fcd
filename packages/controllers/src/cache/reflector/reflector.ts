import type { Selection } from 'kube-endpoints/internal/apimachinery';
import type { ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import { pause } from '../../base/time.ts';
import type { Store } from '../store.ts';
import { listAll, listByStream } from './list.ts';
import { type OpenWatch, openWatch, parseEvent, type WatchSource } from './open-watch.ts';
import {
  chooseFirstStage,
  decideNextStage,
  type ListingStage,
  type ListMethod,
  type Outcome,
  type Stage,
  type WaitingStage,
  type WatchingStage,
} from './stage.ts';

export interface ReflectorOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly pageSize: number;
  /** Whether to list by a watch if the server supports it. */
  readonly useWatchList: boolean;
  readonly store: Pick<Store<unknown>, 'put' | 'remove' | 'beginDraft'>;
  /** Called when a stage begins; for a wait, with its delay in milliseconds. */
  onStage(stage: Stage, delay?: number): void;
  /** Called each time that a list has filled the store. */
  onFilled(): void;
}

/** Keeps a store in sync with the server's objects. */
export interface Reflector {
  /** Runs until the signal is aborted, then resolves. Resumes from the last version of an earlier run. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates a reflector, which lists and then watches. After a failure it resumes from the last version that it saw, or lists again if that is not
 * possible; `decideNextStage` alone determines the next step.
 *
 * Corresponds to Reflector (client-go 1.36, tools/cache/reflector.go), with two differences: it resumes a failed watch, whereas
 * client-go lists again after most errors, and every list requests the newest version, page by page.
 */
export function createReflector(options: ReflectorOptions): Reflector {
  const { clock, random, onStage } = options;
  const backoff = createBackoff(clock, random);
  let { useWatchList } = options;
  let version: string | undefined;
  const onVersion = (newVersion: string): void => {
    version = newVersion;
  };
  const wait = async ({ pace, ...stage }: WaitingStage, signal: AbortSignal): Promise<Outcome> => {
    const delay = Math.max(pace.isGrowing ? backoff.getGrowingDelay() : backoff.getShortestDelay(), pace.minMs);
    onStage({ pace, ...stage }, delay);
    await pause(clock, delay, signal);
    return { kind: 'waited' };
  };
  const runStage = async (stage: ListingStage | WatchingStage | WaitingStage, signal: AbortSignal): Promise<Outcome> => {
    if (stage.state === 'waiting') return wait(stage, signal);
    onStage(stage);
    if (stage.state === 'listing') return fillStore(stage.method, options, signal, onVersion);
    return follow({ ...options, signal }, stage, { ...options, timeoutSeconds: randomTimeoutSeconds(random), onVersion });
  };
  return {
    async run(signal) {
      let stage: ListingStage | WatchingStage | WaitingStage = chooseFirstStage(version, useWatchList);
      while (!signal.aborted) {
        const outcome = await runStage(stage, signal);
        ({ stage, useWatchList } = decideNextStage(stage, outcome, useWatchList));
      }
      if (stage.state === 'watching') await stage.openedWatch?.close();
      onStage({ state: 'stopped' });
    },
  };
}

/** Replaces the content of the store in one step, after the list is complete. Does not throw. */
async function fillStore(
  method: ListMethod,
  options: ReflectorOptions,
  signal: AbortSignal,
  onVersion: (version: string) => void,
): Promise<Outcome> {
  const { store, selection, pageSize, random, onFilled } = options;
  const source = { ...options, signal };
  const draft = store.beginDraft();
  try {
    let openedWatch: OpenWatch | undefined;
    let version: string;
    if (method === 'stream') ({ version, watch: openedWatch } = await listByStream(source, selection, randomTimeoutSeconds(random), draft));
    else version = await listAll(source, method === 'pages' ? pageSize : 0, draft.put);
    if (signal.aborted) return { kind: 'listed', version, openedWatch };
    draft.commit();
    onVersion(version);
    onFilled();
    return { kind: 'listed', version, openedWatch };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Seconds, from 5 to 10 minutes, so that the watches of many clients do not end at the same time. */
const randomTimeoutSeconds = (random: () => number): number => 300 + Math.floor(random() * 301);

/** Delays in milliseconds before the next attempt. */
export interface Backoff {
  /** Returns a delay that grows with each call. Starts over after two minutes without calls. */
  getGrowingDelay(): number;
  /** Returns the shortest delay; does not affect `getGrowingDelay`. */
  getShortestDelay(): number;
}

/**
 * The delays of client-go's reflector: 800 ms, doubled up to 30 s, each extended by a random amount up to its own length. Starts over at
 * 800 ms if no delay is requested for two minutes after the end of the last one. Uses elapsed time, so setting the clock has no effect.
 *
 * Corresponds to the delayHandler of NewReflectorWithOptions (client-go 1.36, tools/cache/reflector.go), which, however, starts over every two
 * minutes.
 */
export function createBackoff(clock: Pick<SteadyClock, 'elapsed'>, random: () => number): Backoff {
  let nextDelay = firstDelayMs;
  let lastDelayEndsAt = Number.NEGATIVE_INFINITY;
  return {
    getGrowingDelay() {
      const now = clock.elapsed();
      if (now - lastDelayEndsAt >= resetAfterMs) nextDelay = firstDelayMs;
      const delay = addJitter(nextDelay, random);
      lastDelayEndsAt = now + delay;
      nextDelay = Math.min(nextDelay * 2, maxDelayMs);
      return delay;
    },
    getShortestDelay: () => addJitter(firstDelayMs, random),
  };
}

const firstDelayMs = 800;
const maxDelayMs = 30_000;
const resetAfterMs = 120_000;

const addJitter = (milliseconds: number, random: () => number): number => milliseconds * (1 + random());

export interface FollowOptions {
  readonly selection: Selection;
  /** Seconds after which the server must end the watch. */
  readonly timeoutSeconds: number;
  readonly store: Pick<Store<unknown>, 'put' | 'remove'>;
  /** Called with the version of each event that was applied. */
  onVersion(version: string): void;
}

/** Applies the events of a watch that starts at a version, until it ends or fails. Does not throw. */
export async function follow(source: WatchSource, stage: WatchingStage, options: FollowOptions): Promise<Outcome> {
  const { clock, resource, signal } = source;
  const { selection, timeoutSeconds, store, onVersion } = options;
  let version = stage.fromVersion;
  let openedWatch: OpenWatch | undefined;
  try {
    openedWatch =
      stage.openedWatch ?? openWatch(source, { ...selection, resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds });
    const watch = openedWatch;
    const { openedAt, durationMs } = watch;
    watch.setDeadline(() => Math.max(openedAt + durationMs, watch.lastEventAt) + overrunMs);
    for (;;) {
      const event = await watch.next();
      // If the event and the abort arrive together, the event is not applied.
      if (signal.aborted) return { kind: 'failed', error: signal.reason, version };
      if (!event) return { kind: 'ended', version, advanced: version !== stage.fromVersion, milliseconds: clock.elapsed() - openedAt };
      const parsed = parseEvent(event);
      if (!parsed)
        return {
          kind: 'failed',
          error: new Error(`the watch of ${resource.plural} sent an invalid event of type ${event.type}`),
          lost: true,
        };
      if (parsed.type === 'DELETED') store.remove(parsed.object);
      else if (parsed.type !== 'BOOKMARK') store.put(parsed.object);
      version = parsed.version;
      onVersion(version);
    }
  } catch (error) {
    return { kind: 'failed', error, version };
  } finally {
    await openedWatch?.close();
  }
}

/** Milliseconds that a watch may be silent beyond its expected end. */
const overrunMs = 30_000;
