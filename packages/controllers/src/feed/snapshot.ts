import type { ChangedEvent, FeedEndpoint, FeedEvent } from './event.ts';

/** The state that a consumer has built from the events of a feed. */
export interface FeedSnapshot {
  /**
   * Applies an event. Returns `known` if the event was already applied, and `gap` if events before it are missing. Both leave the state
   * unchanged. After a gap, the consumer must subscribe again.
   */
  apply(event: FeedEvent): 'applied' | 'known' | 'gap';
  /** Whether all Services of the current subscription have been received. */
  readonly complete: boolean;
  /** Keys as "namespace/name", in no particular order. */
  keys(): IterableIterator<string>;
  /** The endpoints of a Service by ID; undefined if the Service is unknown. */
  get(key: string): ReadonlyMap<string, FeedEndpoint> | undefined;
}

interface ServiceState {
  readonly stream: string;
  readonly endpoints: ReadonlyMap<string, FeedEndpoint>;
}

/**
 * Creates an empty snapshot. It can apply the events of several subscriptions in turn: a new subscription replaces the Services one by one.
 * Its `complete` event removes the Services that it did not send.
 */
export function createFeedSnapshot(): FeedSnapshot {
  const services = new Map<string, ServiceState>();
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
        for (const [key, service] of services) if (service.stream !== stream) services.delete(key);
        complete = true;
      } else if (event.type === 'gone') services.delete(event.key);
      else services.set(event.key, { stream, endpoints: endpointsAfter(event, services.get(event.key)?.endpoints) });
      return 'applied';
    },
  };
}

function endpointsAfter(event: Exclude<FeedEvent, { readonly type: 'complete' | 'gone' }>, before: ServiceState['endpoints'] | undefined) {
  if (event.type === 'full') return new Map(event.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return applyChange(before ?? new Map(), event);
}

function applyChange(before: ServiceState['endpoints'], { added, updated, removed }: ChangedEvent): ServiceState['endpoints'] {
  const endpoints = new Map(before);
  for (const { id } of removed) endpoints.delete(id);
  for (const endpoint of [...updated, ...added]) endpoints.set(endpoint.id, endpoint);
  return endpoints;
}
