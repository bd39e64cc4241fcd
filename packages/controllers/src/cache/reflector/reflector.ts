import type { ClientPort, Resource, Selection, SteadyClock } from 'kube-endpoints/port';
import { pause } from '../../clock.ts';
import type { Store } from '../store.ts';
import { createBackoff } from './backoff.ts';
import { follow } from './follow.ts';
import { type ListSource, listAll } from './list.ts';
import type { OpenWatch, WatchSource } from './open-watch.ts';
import { decide, firstStage, type Listing, type ListingWay, type Outcome, type Stage, type Waiting, type Watching } from './stage.ts';
import { listByStream } from './stream.ts';

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
