import { isExpired, isTimeout, needsList, type OpenWatch, refusesStreams, retryAfterOf } from './open-watch.ts';

/** How a list is made: as a watch that begins with all objects, page by page, or all at once. */
export type ListingWay = 'stream' | 'pages' | 'whole';

export interface Listing {
  readonly state: 'listing';
  readonly by: ListingWay;
}

export interface Watching {
  readonly state: 'watching';
  /** The last version that was seen. */
  readonly from: string;
  /** The watch that the list came by, to be gone on with. */
  readonly open?: OpenWatch | undefined;
}

export interface Waiting {
  readonly state: 'waiting';
  readonly pace: Pace;
  readonly error?: unknown;
  readonly next: Listing | Watching;
}

/** How long a wait is: each longer than the one before, or short; and at least so many milliseconds. */
export interface Pace {
  readonly growing: boolean;
  readonly atLeast: number;
}

/** Where a reflector stands, with all that it needs to go on from there. */
export type Stage = { readonly state: 'idle' } | Listing | Watching | Waiting | { readonly state: 'stopped' };

/** What came of a stage. */
export type Outcome =
  | { readonly kind: 'listed'; readonly version: string; readonly open?: OpenWatch | undefined }
  /** The watch ended as watches do. `moved`: it had something to tell. */
  | { readonly kind: 'ended'; readonly version: string; readonly moved: boolean; readonly milliseconds: number }
  /** `lost`: what the watch told cannot be understood, so that nothing can be said of what was missed. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly version?: string; readonly lost?: boolean }
  | { readonly kind: 'waited' };

export interface Decision {
  readonly stage: Listing | Watching | Waiting;
  /** Whether lists are to be tried as watches from now on. */
  readonly streams: boolean;
}

/** Where a reflector begins: where it was, if it has been anywhere. */
export const firstStage = (version: string | undefined, streams: boolean): Listing | Watching =>
  version === undefined ? { state: 'listing', by: streams ? 'stream' : 'pages' } : { state: 'watching', from: version };

/** Where a stage leads. Without effects: all that a reflector does is decided here. */
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

/** A watch that ends at once is waited for: the longer, the more often it does, unless it gets somewhere. */
function afterEnd({ version, moved, milliseconds }: Extract<Outcome, { readonly kind: 'ended' }>): Watching | Waiting {
  const next: Watching = { state: 'watching', from: version };
  return milliseconds >= shortest ? next : { state: 'waiting', pace: { growing: !moved, atLeast: 0 }, next };
}

/**
 * A server that does not stream lists is never asked to again. A stream that breaks is followed by pages, and those by a stream.
 * Pages whose snapshot is gone are followed by one list of all, as the pager of client-go does it.
 */
function afterFailedList(by: ListingWay, error: unknown, streams: boolean): Decision {
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

/** The VeryShortWatchError of client-go (1.36, tools/cache/reflector.go) is about watches under a second. */
const shortest = 1000;
