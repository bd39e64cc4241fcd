import { isExpired, isTimeout, needsList, type OpenWatch, refusesStreams, retryAfterOf } from './open-watch.ts';

/** How to list: by a watch that begins with all objects, page by page, or in one request. */
export type ListMethod = 'stream' | 'pages' | 'whole';

export interface Listing {
  readonly state: 'listing';
  readonly method: ListMethod;
}

export interface Watching {
  readonly state: 'watching';
  /** The last resourceVersion that was seen. */
  readonly fromVersion: string;
  /** The watch that delivered the list, to be continued. */
  readonly openedWatch?: OpenWatch | undefined;
}

export interface Waiting {
  readonly state: 'waiting';
  readonly pace: Pace;
  readonly error?: unknown;
  readonly next: Listing | Watching;
}

/** How long to wait: with a growing or a short delay, and at least `minMs` milliseconds. */
export interface Pace {
  readonly growing: boolean;
  readonly minMs: number;
}

/** State of a reflector, with the data that the next step needs. */
export type Stage = { readonly state: 'idle' } | Listing | Watching | Waiting | { readonly state: 'stopped' };

/** Result of a stage. */
export type Outcome =
  | { readonly kind: 'listed'; readonly version: string; readonly openedWatch?: OpenWatch | undefined }
  /** The watch ended normally. `advanced`: it delivered a newer version. */
  | { readonly kind: 'ended'; readonly version: string; readonly advanced: boolean; readonly milliseconds: number }
  /** `lost`: an event of the watch was invalid, so it is unknown what was missed. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly version?: string; readonly lost?: boolean }
  | { readonly kind: 'waited' };

export interface Decision {
  readonly stage: Listing | Watching | Waiting;
  /** Whether to try lists by a watch from now on. */
  readonly useWatchList: boolean;
}

/** The first stage of a run: resumes from the last known version, if there is one. */
export const firstStage = (version: string | undefined, useWatchList: boolean): Listing | Watching =>
  version === undefined ? { state: 'listing', method: useWatchList ? 'stream' : 'pages' } : { state: 'watching', fromVersion: version };

/** Returns the stage that follows. Pure: every decision of a reflector is made here. */
export function decide(stage: Listing | Watching | Waiting, outcome: Outcome, useWatchList: boolean): Decision {
  if (outcome.kind === 'waited') return { stage: stage.state === 'waiting' ? stage.next : listing(useWatchList), useWatchList };
  if (outcome.kind === 'listed')
    return { stage: { state: 'watching', fromVersion: outcome.version, openedWatch: outcome.openedWatch }, useWatchList };
  if (outcome.kind === 'ended') return { stage: afterEnd(outcome), useWatchList };
  if (stage.state === 'listing') return afterFailedList(stage.method, outcome.error, useWatchList);
  const { error, version, lost = false } = outcome;
  const next: Listing | Watching =
    lost || version === undefined || needsList(error) ? listing(useWatchList) : { state: 'watching', fromVersion: version };
  return { stage: waiting(error, next), useWatchList };
}

/** After a very short watch, waits before the next one: with a growing delay, unless the watch delivered a newer version. */
function afterEnd({ version, advanced, milliseconds }: Extract<Outcome, { readonly kind: 'ended' }>): Watching | Waiting {
  const next: Watching = { state: 'watching', fromVersion: version };
  return milliseconds >= minWatchMs ? next : { state: 'waiting', pace: { growing: !advanced, minMs: 0 }, next };
}

/**
 * If a server refuses to stream lists, or does not answer in time, streaming is not tried again. After a broken stream the next list is by
 * pages, and after failed pages by a stream. If the snapshot of the pages has expired, everything is listed in one request, as client-go's
 * pager does.
 */
function afterFailedList(method: ListMethod, error: unknown, useWatchList: boolean): Decision {
  if (method === 'stream') {
    const refused = refusesStreams(error) || isTimeout(error);
    const pages: Listing = { state: 'listing', method: 'pages' };
    return refused ? { stage: pages, useWatchList: false } : { stage: waiting(error, pages), useWatchList };
  }
  if (method === 'pages' && isExpired(error)) return { stage: { state: 'listing', method: 'whole' }, useWatchList };
  return { stage: waiting(error, listing(useWatchList)), useWatchList };
}

const listing = (useWatchList: boolean): Listing => ({ state: 'listing', method: useWatchList ? 'stream' : 'pages' });

const waiting = (error: unknown, next: Listing | Watching): Waiting => ({
  state: 'waiting',
  pace: { growing: true, minMs: retryAfterOf(error) },
  error,
  next,
});

/** A watch that ends within this time was very short. Mirrors VeryShortWatchError of client-go (1.36, tools/cache/reflector.go). */
const minWatchMs = 1000;
