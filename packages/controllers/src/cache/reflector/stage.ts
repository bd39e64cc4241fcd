import { isExpired, isTimeout, needsList, type OpenWatch, refusesStreams, retryAfterOf } from './open-watch.ts';

/** How to list: by a watch that begins with all objects, page by page, or in one request. */
export type ListMethod = 'stream' | 'pages' | 'whole';

export interface Listing {
  readonly state: 'listing';
  readonly by: ListMethod;
}

export interface Watching {
  readonly state: 'watching';
  /** The last resourceVersion that was seen. */
  readonly from: string;
  /** The watch that delivered the list, to be continued. */
  readonly open?: OpenWatch | undefined;
}

export interface Waiting {
  readonly state: 'waiting';
  readonly pace: Pace;
  readonly error?: unknown;
  readonly next: Listing | Watching;
}

/** How long to wait: with a growing or a short delay, and at least `atLeast` milliseconds. */
export interface Pace {
  readonly growing: boolean;
  readonly atLeast: number;
}

/** State of a reflector, with all that it needs to continue. */
export type Stage = { readonly state: 'idle' } | Listing | Watching | Waiting | { readonly state: 'stopped' };

/** Result of a stage. */
export type Outcome =
  | { readonly kind: 'listed'; readonly version: string; readonly open?: OpenWatch | undefined }
  /** The watch ended normally. `moved`: it brought a newer version. */
  | { readonly kind: 'ended'; readonly version: string; readonly moved: boolean; readonly milliseconds: number }
  /** `lost`: an event of the watch was invalid, so it is unknown what was missed. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly version?: string; readonly lost?: boolean }
  | { readonly kind: 'waited' };

export interface Decision {
  readonly stage: Listing | Watching | Waiting;
  /** Whether to try lists by a watch from now on. */
  readonly streams: boolean;
}

/** The first stage of a run: resumes from the last known version, if there is one. */
export const firstStage = (version: string | undefined, streams: boolean): Listing | Watching =>
  version === undefined ? { state: 'listing', by: streams ? 'stream' : 'pages' } : { state: 'watching', from: version };

/** Returns the stage that follows. Pure: every decision of a reflector is made here. */
export function decide(stage: Listing | Watching | Waiting, outcome: Outcome, streams: boolean): Decision {
  if (outcome.kind === 'waited') return { stage: stage.state === 'waiting' ? stage.next : listing(streams), streams };
  if (outcome.kind === 'listed') return { stage: { state: 'watching', from: outcome.version, open: outcome.open }, streams };
  if (outcome.kind === 'ended') return { stage: afterEnd(outcome), streams };
  if (stage.state === 'listing') return afterFailedList(stage.by, outcome.error, streams);
  const { error, version, lost = false } = outcome;
  const next: Listing | Watching =
    lost || version === undefined || needsList(error) ? listing(streams) : { state: 'watching', from: version };
  return { stage: waiting(error, next), streams };
}

/** After a very short watch, waits before the next one: with a growing delay, unless the watch brought a newer version. */
function afterEnd({ version, moved, milliseconds }: Extract<Outcome, { readonly kind: 'ended' }>): Watching | Waiting {
  const next: Watching = { state: 'watching', from: version };
  return milliseconds >= minWatchMs ? next : { state: 'waiting', pace: { growing: !moved, atLeast: 0 }, next };
}

/**
 * If a server refuses to stream lists, or does not answer in time, streaming is not tried again. A stream that breaks is followed by pages,
 * and failed pages by a stream. If the snapshot of the pages has expired, everything is listed in one request, as client-go's pager does.
 */
function afterFailedList(by: ListMethod, error: unknown, streams: boolean): Decision {
  if (by === 'stream') {
    const refused = refusesStreams(error) || isTimeout(error);
    const pages: Listing = { state: 'listing', by: 'pages' };
    return refused ? { stage: pages, streams: false } : { stage: waiting(error, pages), streams };
  }
  if (by === 'pages' && isExpired(error)) return { stage: { state: 'listing', by: 'whole' }, streams };
  return { stage: waiting(error, listing(streams)), streams };
}

const listing = (streams: boolean): Listing => ({ state: 'listing', by: streams ? 'stream' : 'pages' });

const waiting = (error: unknown, next: Listing | Watching): Waiting => ({
  state: 'waiting',
  pace: { growing: true, atLeast: retryAfterOf(error) },
  error,
  next,
});

/** Milliseconds. The VeryShortWatchError of client-go (1.36, tools/cache/reflector.go) also concerns watches under a second. */
const minWatchMs = 1000;
