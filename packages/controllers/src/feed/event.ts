import type { Difference, FeedEndpoint } from './endpoint.ts';

/** Which event of which subscription. */
interface Place {
  /** Of a subscription, unlike that of any other one. */
  readonly stream: string;
  /** 1 for the first event of a stream, and one more for each that follows. */
  readonly sequence: number;
}

interface OfService extends Place {
  /** "namespace/name". */
  readonly key: string;
  readonly namespace: string;
  readonly service: string;
}

/** All endpoints of a Service that are ready, in the place of whatever was known of it. */
export interface FullEvent extends OfService {
  readonly type: 'full';
  readonly endpoints: readonly FeedEndpoint[];
}

/** What came and what went since the event before of that Service. */
export interface ChangedEvent extends OfService, Difference {
  readonly type: 'changed';
  /** The sequence of the event before of that Service. */
  readonly after: number;
}

/** The Service has no endpoints, and nothing that could list any. */
export interface GoneEvent extends OfService {
  readonly type: 'gone';
}

/** Every Service there is has been told in full since the stream or its last reconnect began: whatever else is known is of the past. */
export interface CompleteEvent extends Place {
  readonly type: 'complete';
  readonly services: number;
}

export type FeedEvent = FullEvent | ChangedEvent | GoneEvent | CompleteEvent;
