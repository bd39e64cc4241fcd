import { isExpired, isTimeout, needsList, type OpenWatch, refusesWatchList, retryAfterOf } from './open-watch.ts';

/** How to list: by a watch that begins with all objects, page by page, or in one request. */
export type ListMethod = 'stream' | 'pages' | 'whole';

export interface ListingStage {
  readonly state: 'listing';
  readonly method: ListMethod;
}

export interface WatchingStage {
  readonly state: 'watching';
  /** The last resourceVersion that was seen. */
  readonly fromVersion: string;
  /** The watch that delivered the list, to be continued. */
  readonly openedWatch?: OpenWatch | undefined;
}

export interface WaitingStage {
  readonly state: 'waiting';
  readonly pace: Pace;
  readonly error?: unknown;
  readonly nextStage: ListingStage | WatchingStage;
}

/** How long to wait: with a growing or a short delay, and at least `minMs` milliseconds. */
export interface Pace {
  readonly isGrowing: boolean;
  readonly minMs: number;
}

/** State of a reflector, with the data that the next step needs. */
export type Stage = { readonly state: 'idle' } | ListingStage | WatchingStage | WaitingStage | { readonly state: 'stopped' };

/** Result of a stage. */
export type Outcome =
  | { readonly kind: 'listed'; readonly version: string; readonly openedWatch?: OpenWatch | undefined }
  /** The watch ended normally. `advanced`: it delivered a newer version. */
  | { readonly kind: 'ended'; readonly version: string; readonly advanced: boolean; readonly milliseconds: number }
  /** `lost`: an event of the watch was invalid, so it is unknown what was missed. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly version?: string; readonly lost?: boolean }
  | { readonly kind: 'waited' };

export interface Decision {
  readonly stage: ListingStage | WatchingStage | WaitingStage;
  /** Whether to try lists by a watch from now on. */
  readonly useWatchList: boolean;
}

/** The first stage of a run: resumes from the last known version, if there is one. */
export const chooseFirstStage = (version: string | undefined, useWatchList: boolean): ListingStage | WatchingStage =>
  version === undefined ? { state: 'listing', method: useWatchList ? 'stream' : 'pages' } : { state: 'watching', fromVersion: version };

/** Returns the stage that follows. Pure: every decision of a reflector is made here. */
export function decideNextStage(stage: ListingStage | WatchingStage | WaitingStage, outcome: Outcome, useWatchList: boolean): Decision {
  if (outcome.kind === 'waited') return { stage: stage.state === 'waiting' ? stage.nextStage : toListingStage(useWatchList), useWatchList };
  if (outcome.kind === 'listed')
    return { stage: { state: 'watching', fromVersion: outcome.version, openedWatch: outcome.openedWatch }, useWatchList };
  if (outcome.kind === 'ended') return { stage: decideAfterEnd(outcome), useWatchList };
  if (stage.state === 'listing') return decideAfterFailedList(stage.method, outcome.error, useWatchList);
  const { error, version, lost = false } = outcome;
  const nextStage: ListingStage | WatchingStage =
    lost || version === undefined || needsList(error) ? toListingStage(useWatchList) : { state: 'watching', fromVersion: version };
  return { stage: toWaitingStage(error, nextStage), useWatchList };
}

/** After a very short watch, waits before the next one: with a growing delay, unless the watch delivered a newer version. */
function decideAfterEnd({ version, advanced, milliseconds }: Extract<Outcome, { readonly kind: 'ended' }>): WatchingStage | WaitingStage {
  const nextStage: WatchingStage = { state: 'watching', fromVersion: version };
  return milliseconds >= minWatchMs ? nextStage : { state: 'waiting', pace: { isGrowing: !advanced, minMs: 0 }, nextStage };
}

/**
 * If a server refuses to stream lists, or does not answer in time, streaming is not tried again. After a broken stream the next list is by
 * pages, and after failed pages by a stream. If the snapshot of the pages has expired, everything is listed in one request, as client-go's
 * pager does.
 */
function decideAfterFailedList(method: ListMethod, error: unknown, useWatchList: boolean): Decision {
  if (method === 'stream') {
    const stopsStreaming = refusesWatchList(error) || isTimeout(error);
    const pagesStage: ListingStage = { state: 'listing', method: 'pages' };
    return stopsStreaming ? { stage: pagesStage, useWatchList: false } : { stage: toWaitingStage(error, pagesStage), useWatchList };
  }
  if (method === 'pages' && isExpired(error)) return { stage: { state: 'listing', method: 'whole' }, useWatchList };
  return { stage: toWaitingStage(error, toListingStage(useWatchList)), useWatchList };
}

const toListingStage = (useWatchList: boolean): ListingStage => ({ state: 'listing', method: useWatchList ? 'stream' : 'pages' });

const toWaitingStage = (error: unknown, nextStage: ListingStage | WatchingStage): WaitingStage => ({
  state: 'waiting',
  pace: { isGrowing: true, minMs: retryAfterOf(error) },
  error,
  nextStage,
});

/** A watch that ends within this time was very short. Mirrors VeryShortWatchError of client-go (1.36, tools/cache/reflector.go). */
const minWatchMs = 1000;
