import { serviceNameLabel } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Call, Change } from '../controller/controller.ts';
import type { Clock } from '../engine/clock.ts';
import type { DelayName } from '../engine/delays.ts';
import type { NodeClock } from '../engine/node-clock.ts';
import type { Watches } from '../engine/watch.ts';
import { createRunner } from './runner.ts';

/** What the components of the network need of their host. */
export interface NetworkContext {
  readonly clock: Clock;
  readonly watches: Watches;
  /** The clock of a node, which stands still while the node is lost. By default, no node is lost. */
  readonly clockOf?: (node: string) => NodeClock;
  /** For health checks of pods. By default, all pods listen. */
  readonly listeners?: Listeners;
  /** Performs a call of a component. For readiness gates. @throws ApiError */
  answer?(actor: string, call: Call): ApiObject;
}

/** Which pods listen. */
export interface Listeners {
  /** Whether the process at an address that serves a port of a Service accepts connections now. */
  accepts(address: string, service: string, port: string): boolean;
  /** Calls back after `accepts` may have changed for some addresses. */
  onChange(listener: (addresses: readonly string[]) => void): void;
}

/** Where new connections to a port of a Service go. */
export interface Route {
  /** The name of the port; "" if it has none. */
  readonly port: string;
  /** IPs, sorted. */
  readonly addresses: readonly string[];
}

/** Records the routes of a component to a Service, whose key is "namespace/name". */
export type RecordRoutes = (actor: string, service: string, routes: readonly Route[]) => void;

/** A Service with its EndpointSlices, as a component has seen them. */
export interface ServiceState {
  readonly service: ApiObject;
  /** In order of their names. */
  readonly slices: readonly ApiObject[];
}

export interface RouterOptions {
  /** For example "kube-proxy/n1". */
  readonly actor: string;
  /** The time that applying changes takes. They take effect at its end; at once if undefined. */
  readonly delay: DelayName | undefined;
  /** The name of the node that it runs on, if it stands still while the node is lost. */
  readonly node?: string;
  /** The minimum time from the end of one sync to the start of the next, in milliseconds. */
  readonly minIntervalMs: number;
  /** Milliseconds for which changes are collected before a sync, from the first one on. Default: 0. */
  readonly windowMs?: number;
  isWatched(object: ApiObject, kind: string): boolean;
  /** Applies the state of a Service; undefined if it was deleted. `key` is "namespace/name". */
  apply(key: string, state: ServiceState | undefined): void;
}

/**
 * Runs a component that follows Services and EndpointSlices: a sync reads the changes that have arrived by its start, and applies them
 * after the delay. The objects that exist at first are applied at once.
 */
export function createRouter({ clock: hostClock, watches, clockOf }: NetworkContext, options: RouterOptions): void {
  const { actor, delay, minIntervalMs, windowMs = 0, isWatched, apply } = options;
  const nodeClock = options.node === undefined ? undefined : clockOf?.(options.node);
  const clock = nodeClock ?? hostClock;
  const index = createServiceIndex();
  let isStarted = false;
  let causes = new Map<string, number | undefined>();
  const hasNewTargets = delay === 'balancerSync' ? createTargetTest() : () => false;
  const runner = createRunner(clock, {
    minIntervalMs,
    run: (done) => {
      const changes = [...causes].map(([key, cause]) => ({ key, cause, state: index.find(key) }));
      causes = new Map();
      const end = (): void => {
        for (const { key, cause, state } of changes) clock.because(cause, () => apply(key, state));
        done();
      };
      const isRegistration = changes.filter(({ key, state }) => hasNewTargets(key, state)).length > 0;
      if (delay) clock.after({ name: delay, actor, isRegistration }, end);
      else end();
    },
  });
  let isCollecting = false;
  const request = (): void => {
    if (windowMs === 0) runner.request();
    else if (!isCollecting) {
      isCollecting = true;
      clock.at(clock.now() + windowMs, () => {
        isCollecting = false;
        runner.request();
      });
    }
  };
  const onChange = (change: Change): void => {
    for (const key of index.update(change)) causes.set(key, clock.cause);
    if (isStarted && causes.size > 0) request();
  };
  const receive = nodeClock ? (change: Change): void => nodeClock.whenRunning(() => onChange(change)) : onChange;
  for (const kind of ['Service', 'EndpointSlice']) watches.watch(actor, [kind], receive, (object) => isWatched(object, kind));
  for (const key of causes.keys()) {
    const state = index.find(key);
    hasNewTargets(key, state);
    apply(key, state);
  }
  causes = new Map();
  isStarted = true;
}

/** Creates a test of whether a state of a Service has a ready address that the one before did not have. */
function createTargetTest(): (key: string, state: ServiceState | undefined) => boolean {
  const known = new Map<string, ReadonlySet<unknown>>();
  return (key, state) => {
    const endpoints = ((state?.slices ?? []) as readonly EndpointSliceInput[]).flatMap((slice) => slice.endpoints ?? []);
    const addresses = endpoints.flatMap((endpoint) => (endpoint.conditions?.ready === false ? [] : endpoint.addresses));
    const before = known.get(key);
    known.set(key, new Set(addresses));
    return addresses.some((address) => !before?.has(address));
  };
}

interface ServiceIndex {
  /** Stores a change. Returns the keys of the Services that it concerns. */
  update(change: Change): Iterable<string>;
  find(key: string): ServiceState | undefined;
}

function createServiceIndex(): ServiceIndex {
  const services = new Map<string, ApiObject>();
  const slices = new Map<string, Map<string, ApiObject>>();
  const updateSlice = (slice: ApiObject, isDeleted: boolean): string[] => {
    const key = serviceOf(slice);
    if (key === undefined) return [];
    const siblings = slices.get(key) ?? new Map<string, ApiObject>();
    slices.set(key, siblings);
    if (isDeleted) siblings.delete(objectKey(slice));
    else siblings.set(objectKey(slice), slice);
    return [key];
  };
  return {
    find: (key) => {
      const service = services.get(key);
      if (!service) return undefined;
      const found = [...(slices.get(key) ?? new Map<string, ApiObject>())].sort(([a], [b]) => (a < b ? -1 : 1));
      return { service, slices: found.map(([, slice]) => slice) };
    },
    update: ({ kind, previous, current }) => {
      if (kind === 'EndpointSlice')
        return new Set([...(previous ? updateSlice(previous, true) : []), ...(current ? updateSlice(current, false) : [])]);
      const key = objectKey((current ?? previous) as ApiObject);
      if (current) services.set(key, current);
      else services.delete(key);
      return [key];
    },
  };
}

/** The key "namespace/name" of a slice's Service. */
export function serviceOf({ metadata }: ApiObject): string | undefined {
  const name = metadata.labels?.[serviceNameLabel];
  return name ? `${metadata.namespace}/${name}` : undefined;
}

/** The routes of all components. */
export interface RouteTable {
  readonly record: RecordRoutes;
  /** The components with routes, sorted. */
  actors(): string[];
  /** Takes addresses out of a component's routes, until it applies a change of their Service. */
  deregister(actor: string, addresses: readonly string[]): void;
  /** Restores the routes that a component applied last. */
  register(actor: string): void;
}

/** @param record receives the routes that are in force */
export function createRouteTable(record: RecordRoutes): RouteTable {
  const components = new Map<string, Map<string, AppliedRoutes>>();
  const change = (actor: string, next: (routes: AppliedRoutes) => readonly Route[]): void => {
    for (const [service, routes] of components.get(actor) ?? []) {
      routes.current = next(routes);
      record(actor, service, routes.current);
    }
  };
  return {
    actors: () => [...components.keys()].sort(),
    record(actor, service, routes) {
      const services = components.get(actor) ?? new Map<string, AppliedRoutes>();
      components.set(actor, services.set(service, { applied: routes, current: routes }));
      record(actor, service, routes);
    },
    deregister: (actor, removed) =>
      change(actor, ({ current }) =>
        current.map(({ port, addresses }) => ({ port, addresses: addresses.filter((address) => !removed.includes(address)) })),
      ),
    register: (actor) => change(actor, ({ applied }) => applied),
  };
}

interface AppliedRoutes {
  readonly applied: readonly Route[];
  /** Without addresses that were taken out. */
  current: readonly Route[];
}

/** Records routes, those that changed only. */
export function createRouteRecorder(clock: Clock): RecordRoutes {
  const current = new Map<string, readonly Route[]>();
  return (actor, service, routes) => {
    const key = `${actor} ${service}`;
    const previous = current.get(key) ?? [];
    current.set(key, routes);
    const ended = previous.filter(({ port }) => !routes.some((route) => route.port === port));
    for (const { port, addresses } of [...ended.map(({ port }) => ({ port, addresses: [] })), ...routes]) {
      const before = previous.find((route) => route.port === port)?.addresses;
      if (before && isSameList(before, addresses)) continue;
      clock.record({ type: 'route', actor, service, port, addresses });
    }
  };
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
