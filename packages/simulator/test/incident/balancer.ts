import { createFeedSnapshot, type FeedEvent } from '@kube-endpoints/controllers';
import type { Cluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { createSnapshot, type ServiceSnapshot } from '../../../controllers/src/feed/event.ts';
import { createSubscription, type Subscription } from '../../../controllers/src/feed/feed.ts';

/**
 * How a load balancer outside the cluster follows a Service. `fullState` puts all ready endpoints into rotation whenever endpoints were written. The
 * others read the feed: `changedEvents` applies what a `changed` event adds and removes, but puts all endpoints of a `full` event into rotation;
 * `differences` compares a `full` event, too, with the endpoints that it knew, and applies only the difference.
 */
export type BalancerMode = 'fullState' | 'changedEvents' | 'differences';

export interface Balancer {
  /** Takes addresses out of rotation. */
  drain(addresses: readonly string[]): void;
  undrain(addresses: readonly string[]): void;
  /** The feed or the balancer lost its connection: everything is sent in full, in the same stream or in a new one. */
  reconnect(stream: 'same' | 'new'): void;
}

export interface BalancerOptions {
  /** "namespace/name". */
  readonly service: string;
  readonly mode: BalancerMode;
  /** Milliseconds for which the feed collects changes, from the first one on. */
  readonly windowMs: number;
}

interface Known {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** The addresses in rotation after an event of the feed. */
type Apply = (rotation: ReadonlySet<string>, event: FeedEvent, known: Known) => Set<string>;

const applyDifference: Apply = (rotation, _, { before, after }) =>
  new Set(
    [...rotation].filter((address) => !before.has(address) || after.has(address)).concat([...after].filter((each) => !before.has(each))),
  );

const modes: Readonly<Record<BalancerMode, Apply>> = {
  fullState: (rotation) => new Set(rotation),
  changedEvents: (rotation, event, known) => (event.type === 'full' ? new Set(known.after) : applyDifference(rotation, event, known)),
  differences: applyDifference,
};

const addressesOf = (endpoints: ServiceSnapshot['readyEndpoints'] | undefined): Set<string> =>
  new Set([...(endpoints?.values() ?? [])].map(({ address }) => address));

/** Starts a load balancer that follows a Service. Records its routes as "load-balancer/external". */
export function startBalancer({ clock, watches }: Cluster, { service, mode, windowMs }: BalancerOptions): Balancer {
  const snapshots = new Map<string, ServiceSnapshot>();
  const known = createFeedSnapshot();
  let rotation = new Set<string>();
  let streams = 0;
  let subscription: Subscription;
  const setRotation = (next: Set<string>): void => {
    if (next.size === rotation.size && [...next].every((address) => rotation.has(address))) return;
    rotation = next;
    clock.record({ type: 'route', actor: 'load-balancer/external', service, port: '', addresses: [...rotation].sort() });
  };
  const applyEvents = (): void => {
    for (let event = subscription.next(); event; event = subscription.next()) {
      const before = addressesOf(known.get(service));
      known.apply(event);
      setRotation(modes[mode](rotation, event, { before, after: addressesOf(known.get(service)) }));
    }
    if (mode === 'fullState') setRotation(addressesOf(snapshots.get(service)?.readyEndpoints));
  };
  const reconnect = (stream: 'same' | 'new'): void => {
    if (stream === 'new') {
      streams += 1;
      subscription = createSubscription(`stream-${streams}`, snapshots);
    }
    subscription.refresh();
    applyEvents();
  };
  reconnect('new');
  watchSlices({ clock, watches }, service, windowMs, (slices) => {
    snapshots.set(service, createSnapshot(slices as never));
    subscription.markChanged(service);
    applyEvents();
  });
  return {
    reconnect,
    drain: (addresses) => setRotation(new Set([...rotation].filter((address) => !addresses.includes(address)))),
    undrain: (addresses) => setRotation(new Set([...rotation, ...addresses])),
  };
}

/** Passes the slices of a Service on at the end of each window. The first write opens a window. */
function watchSlices(
  { clock, watches }: Pick<Cluster, 'clock' | 'watches'>,
  service: string,
  windowMs: number,
  onWindow: (slices: readonly ApiObject[]) => void,
): void {
  const slices = new Map<string, ApiObject>();
  let isOpen = false;
  const close = (): void => {
    isOpen = false;
    onWindow([...slices.values()]);
  };
  const isOfService = ({ metadata }: ApiObject): boolean =>
    `${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}` === service;
  watches.watch(
    'feed',
    ['EndpointSlice'],
    ({ previous, current }) => {
      if (current) slices.set(current.metadata.name ?? '', current);
      else slices.delete(previous?.metadata.name ?? '');
      if (!isOpen) clock.at(clock.now() + windowMs, close);
      isOpen = true;
    },
    isOfService,
  );
}
