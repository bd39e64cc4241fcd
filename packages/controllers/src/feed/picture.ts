import type { ChangedEvent, FeedEndpoint, FeedEvent } from './event.ts';

/** What a consumer knows by the events of a feed. */
export interface FeedPicture {
  /**
   * Takes in an event. `known`: it has been taken in before, nothing changes. `gap`: events are missing before it, nothing changes, and
   * only another subscription helps.
   */
  apply(event: FeedEvent): 'applied' | 'known' | 'gap';
  /** Whether every Service there is has been told. */
  readonly complete: boolean;
  /** "namespace/name", in no order. */
  keys(): IterableIterator<string>;
  /** The endpoints of a Service by id; undefined where there is no such Service. */
  get(key: string): ReadonlyMap<string, FeedEndpoint> | undefined;
}

interface Known {
  readonly stream: string;
  readonly endpoints: ReadonlyMap<string, FeedEndpoint>;
}

/** Makes an empty picture, which any number of subscriptions may fill, one after the other: each takes the place of the one before. */
export function createFeedPicture(): FeedPicture {
  const services = new Map<string, Known>();
  let stream: string | undefined;
  let sequence = 0;
  let complete = false;
  const isGap = (event: FeedEvent): boolean => {
    if (event.stream !== stream) return event.sequence !== 1;
    return event.sequence > sequence + 1;
  };
  return {
    get complete() {
      return complete;
    },
    keys: () => services.keys(),
    get: (key) => services.get(key)?.endpoints,
    apply(event) {
      if (event.stream === stream && event.sequence <= sequence) return 'known';
      if (isGap(event)) return 'gap';
      if (event.stream !== stream) complete = false;
      ({ stream, sequence } = event);
      if (event.type === 'complete') {
        for (const [key, known] of services) if (known.stream !== stream) services.delete(key);
        complete = true;
      } else if (event.type === 'gone') services.delete(event.key);
      else services.set(event.key, { stream, endpoints: endpointsAfter(event, services.get(event.key)?.endpoints) });
      return 'applied';
    },
  };
}

function endpointsAfter(event: Exclude<FeedEvent, { readonly type: 'complete' | 'gone' }>, before: Known['endpoints'] | undefined) {
  if (event.type === 'full') return new Map(event.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return changed(before ?? new Map(), event);
}

function changed(before: Known['endpoints'], { came, updated, went }: ChangedEvent): Known['endpoints'] {
  const endpoints = new Map(before);
  for (const { id } of went) endpoints.delete(id);
  for (const endpoint of [...updated, ...came]) endpoints.set(endpoint.id, endpoint);
  return endpoints;
}
