import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../../src/controller/controller.ts';
import { createClock, type HostClock } from '../../src/engine/clock.ts';
import { type ChooseDelay, createBoundChoice } from '../../src/engine/delays.ts';
import type { RouteFact, TimelineEntry } from '../../src/engine/timeline.ts';
import type { Watches } from '../../src/engine/watch.ts';
import type { Listeners } from '../../src/network/router.ts';

/** A clock with watches over a list of objects, without an API server. */
export interface World {
  readonly clock: HostClock;
  readonly watches: Watches;
  readonly timeline: TimelineEntry[];
  readonly listeners: Listeners;
  /** Stores an object and delivers it to all watches after the delay "watch". */
  write(object: ApiObject): void;
  /** Lets the processes at an address listen, or no longer. All listen at first. */
  listen(address: string, listens: boolean): void;
  /** The routes recorded so far, as "time actor service:port addresses". */
  routes(): string[];
  /** The states of targets recorded so far, as "time address state". */
  targets(): string[];
}

/** All delays take their maximum by default. */
export function createWorld(objects: readonly ApiObject[], choose: ChooseDelay = createBoundChoice(() => false)): World {
  const timeline: TimelineEntry[] = [];
  const clock = createClock({ start: 0, choose, onEntry: (entry) => timeline.push(entry) });
  const stored = new Map(objects.map((object) => [keyOf(object), object]));
  const watchers: ((change: Change) => void)[] = [];
  const watches: Watches = {
    watch: (actor, kinds, onChange, isSelected = () => true) => {
      for (const object of stored.values())
        if (kinds.includes(object.kind ?? '') && isSelected(object)) onChange({ kind: object.kind ?? '', current: object });
      watchers.push((change) => {
        const object = (change.current ?? change.previous) as ApiObject;
        if (kinds.includes(change.kind) && isSelected(object)) clock.after({ name: 'watch', actor }, () => onChange(change));
      });
      return { close: () => {} };
    },
  };
  const silent = new Set<string>();
  const onListeners: ((addresses: readonly string[]) => void)[] = [];
  return {
    clock,
    watches,
    timeline,
    listeners: { accepts: (address) => !silent.has(address), onChange: (listener) => void onListeners.push(listener) },
    listen: (address, listens) => {
      if (listens) silent.delete(address);
      else silent.add(address);
      for (const notify of onListeners) notify([address]);
    },
    write: (object) => {
      const previous = stored.get(keyOf(object));
      stored.set(keyOf(object), object);
      const change = { kind: object.kind ?? '', current: object, ...(previous && { previous }) };
      clock.record({ type: previous ? 'update' : 'create', actor: 'user', object, ...(previous && { previous }) }, () => {
        for (const notify of watchers) notify(change);
      });
    },
    targets: () => timeline.flatMap((entry) => (entry.type === 'target' ? [`${entry.at} ${entry.address} ${entry.state}`] : [])),
    routes: () =>
      timeline
        .filter((entry): entry is TimelineEntry & RouteFact => entry.type === 'route')
        .map(({ at, actor, service, port, addresses }) => `${at} ${actor} ${service}:${port} ${addresses.join() || '-'}`),
  };
}

const keyOf = ({ kind, metadata }: ApiObject): string => `${kind} ${metadata.namespace}/${metadata.name}`;

export const service = (spec: Readonly<Record<string, unknown>> = {}): ApiObject => ({
  kind: 'Service',
  metadata: { namespace: 'shop', name: 'web' },
  spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ipFamilies: ['IPv4'], ports: [{ name: 'http', port: 80 }], ...spec },
});

export interface EndpointRow {
  readonly ip: string;
  readonly node?: string;
  /** Default: true. */
  readonly ready?: boolean;
  readonly terminating?: boolean;
  /** The UID of its pod. */
  readonly pod?: string;
}

export const slice = (name: string, endpoints: readonly EndpointRow[]): ApiObject => ({
  kind: 'EndpointSlice',
  metadata: { namespace: 'shop', name, labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: endpoints.map(({ ip, node = 'n1', ready = true, terminating = false, pod }) => ({
    addresses: [ip],
    ...(pod !== undefined && { targetRef: { kind: 'Pod', uid: pod } }),
    nodeName: node,
    conditions: { ready, serving: ready || terminating, terminating },
  })),
});

export const node = (name: string): ApiObject => ({ kind: 'Node', metadata: { name } });
