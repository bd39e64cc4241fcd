import type { Resource } from 'kube-endpoints/port';
import type { Verb } from '../registry/catalog.ts';

/** So many, or a number drawn from the lowest to the highest, both included. */
export type Span = number | readonly [lowest: number, highest: number];

/** A resource by its plural, with its group where that matters: "pods", "pods/status", "endpointslices.discovery.k8s.io". */
export type ResourceName = string | Pick<Resource, 'group' | 'plural'>;

/** Which watches. Where a part is absent, all. */
export interface WatchScope {
  readonly resources?: readonly ResourceName[];
  /** What looks at all namespaces, or at none, is in no list of them. */
  readonly namespaces?: readonly string[];
}

/** Which calls. Where a part is absent, all that the fault can happen to. */
export interface CallScope extends WatchScope {
  readonly verbs?: readonly Verb[];
}

/**
 * At which of the calls in its scope a fault happens: at the first; at all; at the n-th and, where times says so, at those after it;
 * or at each with a chance from 0 to 1. A call can be answered only once: a fault that comes second to another waits for the next call.
 */
export type When =
  | 'once'
  | 'always'
  | { readonly nth?: number; readonly times?: number; readonly chance?: undefined }
  | { readonly chance: number; readonly nth?: number; readonly times?: number };

/** When a watch is hit, from its beginning on; at once where neither is said, at the earlier where both are. */
interface WatchMoment {
  /** Bookmarks count. */
  readonly afterEvents?: Span;
  readonly afterMilliseconds?: Span;
}

/** What happens to one call. */
export type CallFault =
  /** The watch ends: the way a server ends it or, broken, as a connection does. */
  | ({ readonly fault: 'dropWatch'; readonly broken?: boolean } & WatchMoment)
  /** Nothing more comes of the watch, not even its end, until it is released or its time is over. */
  | ({ readonly fault: 'stallWatch'; readonly forMilliseconds?: Span } & WatchMoment)
  /** 410 to a watch that goes on from a version, whether or not that version is forgotten. */
  | { readonly fault: 'expired' }
  /** 409, as if another had written in between. */
  | { readonly fault: 'conflict' }
  /** 429. */
  | { readonly fault: 'tooManyRequests'; readonly retryAfterSeconds?: number }
  /** 500. */
  | { readonly fault: 'internalError'; readonly message?: string }
  /** 503, as of a server that shuts down. */
  | { readonly fault: 'unavailable' }
  /** 504, and nothing was done. */
  | { readonly fault: 'timeout' }
  /** The call takes that long to arrive. */
  | { readonly fault: 'latency'; readonly milliseconds: Span }
  /** The server dies: before it does what it was asked or, by default, after it and before it answers. It comes back if told when. */
  | { readonly fault: 'crash'; readonly at?: 'before' | 'after'; readonly downMilliseconds?: Span };

/** What happens to the server just before a call arrives. */
export type ServerFault =
  | { readonly fault: 'dropWatches'; readonly broken?: boolean; readonly watches?: WatchScope }
  | { readonly fault: 'stallWatches'; readonly forMilliseconds?: Span; readonly watches?: WatchScope }
  | { readonly fault: 'releaseWatches' }
  /** All that happened up to now is forgotten. */
  | { readonly fault: 'compact' }
  | { readonly fault: 'restart' };

export type Fault = CallFault | ServerFault;
export type FaultKind = Fault['fault'];

/** What goes wrong, with which calls, and when: by default once. Plain data. */
export type FaultRule = Fault & CallScope & { readonly when?: When };

/** A fault of one kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly fault: Kind }>;
