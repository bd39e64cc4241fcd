import { type DelayName, type DelayRange, delays } from '../../engine/delays.ts';
import { minGracePeriodSeconds } from '../../kubelet/grace-period.ts';
import { type LifecycleHandler, sleepSecondsOf } from '../../kubelet/index.ts';
import { type ApplicationSettings, applicationDefaults } from '../../network/application.ts';
import { kubeProxyDefaults } from '../../network/kube-proxy.ts';
import { loadBalancerDefaults } from '../../network/load-balancer.ts';
import { clientDefaults } from '../drop.ts';
import type { Environment } from '../environment.ts';

/** What a pod's spec says about its end. */
export interface EndingSpec {
  readonly terminationGracePeriodSeconds?: number | null;
  readonly initContainers?: readonly EndingContainer[] | null;
  readonly containers?: readonly EndingContainer[] | null;
}

export interface EndingContainer {
  readonly restartPolicy?: string | null;
  readonly lifecycle?: { readonly preStop?: LifecycleHandler | null } | null;
}

/** When something of a pod happens, in milliseconds after its deletion, whatever the order of all other events. */
export interface Ending {
  /** When its listener closes, at the earliest. */
  readonly closes: number;
  /** When SIGKILL can cut a request, at the earliest; undefined if the process always ends its requests first. */
  readonly cuts?: number;
}

/** The sizes of a Service and its cluster. */
export interface Sizes {
  /** The number of Services whose endpoints change. */
  readonly services: number;
  /** The largest number of EndpointSlices of a Service that one sync writes. */
  readonly slices: number;
}

/** How a component follows EndpointSlices. */
interface ComponentRow {
  /** For example "kube-proxy". */
  readonly name: string;
  /** The longest time from the write of an EndpointSlice until routes follow it, in milliseconds; undefined if the cluster has no such component. */
  latest(environment: Environment): number | undefined;
}

export const rangeOf = ({ ranges }: Environment, name: DelayName): DelayRange => ranges?.[name] ?? delays[name];
const longest = (environment: Environment, name: DelayName): number => rangeOf(environment, name).max;

/** A change that arrives during a sync waits for its end, and for the time that has to pass until the next one. */
const follow = (environment: Environment, name: DelayName, pauseMs: number): number =>
  longest(environment, 'watch') + longest(environment, name) + pauseMs + longest(environment, name);

const components: readonly ComponentRow[] = [
  {
    name: 'kube-proxy',
    latest: (environment) => follow(environment, 'proxySync', { ...kubeProxyDefaults, ...environment.network?.kubeProxy }.minSyncPeriodMs),
  },
  { name: 'DNS', latest: (environment) => longest(environment, 'watch') + longest(environment, 'resolverCache') },
  {
    name: 'an ingress proxy',
    latest(environment) {
      const pauses = (environment.network?.ingresses ?? []).map(({ minIntervalMs = 0 }) => minIntervalMs);
      return pauses.length > 0 ? follow(environment, 'ingressSync', Math.max(...pauses)) : undefined;
    },
  },
  {
    name: 'a load balancer',
    latest(environment) {
      const { targets, windowMs } = { ...loadBalancerDefaults, ...environment.network?.loadBalancer };
      return targets === 'pods' ? follow(environment, 'balancerSync', 2 * windowMs) : undefined;
    },
  },
];

/** The workers of the EndpointSlice controller (1.36, concurrent-service-endpoint-syncs). */
const sliceWorkers = 5;

/**
 * The longest watch delay, in milliseconds, for which a sync that finds a cache behind the own writes is tried again in time: the EndpointSlice
 * controller waits for one second after a first failure, and for two after a second one (1.36, its rate limiter).
 */
export const maxStaleMs = 1000;
const secondRetryMs = 2000;

/**
 * When the last component stops routing to a pod, in milliseconds after the pod's deletion, at the latest. The deletion has to arrive at the
 * controller; each worker may sync another Service first. If the cache is behind the own writes, the sync fails, also at an older retry that is due
 * within the watch delay; then workers may sync other Services again. The own sync writes its slices, one after the other, and the component follows
 * the last one.
 */
export function latestRoute(environment: Environment, { services, slices }: Sizes, used: readonly string[]): LatestRoute {
  const sync = longest(environment, 'sync') + slices * longest(environment, 'request');
  const waiting = Math.ceil(services / sliceWorkers) * sync;
  const watch = longest(environment, 'watch');
  const written = watch + waiting + watch + secondRetryMs + waiting + sync;
  const rows = components.flatMap(({ name, latest }) => {
    const follows = used.includes(name) ? latest(environment) : undefined;
    return follows === undefined ? [] : [{ component: name, at: written + follows }];
  });
  return rows.reduce((a, b) => (b.at > a.at ? b : a), { component: 'no component', at: written });
}

export interface LatestRoute {
  readonly component: string;
  /** Milliseconds after the deletion. */
  readonly at: number;
}

/**
 * When a pod's listener closes and its requests can be cut at the earliest: the earliest of its containers. The kubelet of the release 1.36 runs the
 * preStop hook for at most the grace period, then sends SIGTERM, and SIGKILL after the rest of the grace period, which is at least two seconds.
 */
export function earliestEnding(environment: Environment, spec: EndingSpec): Ending {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const graceSeconds = spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  const endings = [...(spec.containers ?? []), ...sidecars].map((container) => endContainer(environment, container, graceSeconds));
  const cuts = endings.flatMap((ending) => ending.cuts ?? []);
  return { closes: Math.min(...endings.map(({ closes }) => closes)), ...(cuts.length > 0 && { cuts: Math.min(...cuts) }) };
}

const defaultGraceSeconds = 30;

function endContainer(environment: Environment, { lifecycle }: EndingContainer, graceSeconds: number): Ending {
  const settings: ApplicationSettings = { ...applicationDefaults, ...environment.application };
  const hook = hookOf(environment, lifecycle?.preStop);
  const notice = rangeOf(environment, 'watch').min;
  const stop = { min: Math.min(hook.min, graceSeconds * 1000), max: Math.min(hook.max, graceSeconds * 1000) };
  const kill = notice + Math.max(graceSeconds * 1000, stop.min + minGracePeriodSeconds * 1000);
  if (settings.onTerminate === 'ignore') return { closes: kill, cuts: kill };
  const { min, max } = rangeOf(environment, 'listenerClosing');
  const drainMs = settings.drainSeconds * 1000;
  const closes = Math.min(notice + stop.min + drainMs + min, kill);
  if (settings.onTerminate === 'close') return { closes, cuts: closes };
  const rest = Math.max(graceSeconds - Math.floor(stop.max / 1000), minGracePeriodSeconds) * 1000;
  const { max: exit } = settings.exit ?? rangeOf(environment, 'applicationExit');
  const isCut = drainMs + max + exit >= rest && drainMs + max + clientsOf(environment).requestMs > rest;
  return { closes, ...(isCut && { cuts: kill }) };
}

/** How long a preStop hook runs. */
function hookOf(environment: Environment, preStop: LifecycleHandler | null | undefined): DelayRange {
  const sleep = (sleepSecondsOf(preStop ?? {}) ?? 0) * 1000;
  const { min, max } = preStop?.exec || preStop?.httpGet ? rangeOf(environment, 'preStopHook') : { min: 0, max: 0 };
  return { min: sleep + min, max: sleep + max };
}

/** The longest request, and whether clients keep connections open. */
export const clientsOf = ({ clients }: Environment): { readonly requestMs: number; readonly keepAlive: boolean } => ({
  ...clientDefaults,
  ...clients,
});
