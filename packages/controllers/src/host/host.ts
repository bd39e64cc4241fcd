import { type ClientPort, systemClock } from 'kube-endpoints/port';
import { checkHost } from '../base/checks.ts';
import { aborted, linkedTo, pause } from '../base/time.ts';
import { type Controllers, type ControllersOptions, type ControllersStats, createControllers } from '../controllers/index.ts';
import { createAlone, createLeaderElection, type LeaseTimings, type Ownership } from '../election/index.ts';
import { createServiceLoadBalancer, type ServiceLoadBalancer, type ServiceLoadBalancerOptions } from '../service-lb/index.ts';
import { createSharding } from '../sharding/index.ts';
import type { Observer, RuntimeEvent } from './runtime-event.ts';

/** How several replicas of one host get on with each other. */
export interface LeaseOptions extends LeaseTimings {
  /** Of the Leases. By default "kube-system". */
  readonly namespace?: string;
  /** By default "kube-endpoints". */
  readonly name?: string;
}

/** What the service load-balancer controller needs beside what all controllers do. */
export interface BalancingOptions extends Pick<ServiceLoadBalancerOptions, 'cloud' | 'clusterName' | 'cloudTimeout' | 'orphanSweep'> {}

export interface HostOptions extends Omit<ControllersOptions, 'ownership' | 'tell'> {
  readonly tell?: Observer;
  /**
   * The cloud and what goes with it. Where it is given, 'service-lb' is one of the `controllers` by default. Where 'service-lb' is to run
   * and cannot, because there is no cloud or it has no load balancers, the happening `missing` says so, and the others run on.
   */
  readonly serviceLoadBalancer?: BalancingOptions;
  /** Who this replica is. Needed with `leaderElection` and `shards`; no two processes may have the same. */
  readonly identity?: string;
  /** One of the replicas works, the others wait, with full caches. In a dry run it is left alone, and so are `shards`. */
  readonly leaderElection?: LeaseOptions;
  /** All of them work, each for Services of its own; `name` is that of their group. Not together with `leaderElection`. */
  readonly shards?: LeaseOptions;
  /** What Leases are read and written through, so that they need not wait for anything else; by default `port`. */
  readonly leasePort?: ClientPort;
  /**
   * Milliseconds that the work is given at the end while this replica still owns it; 10,000 by default. What is not done then is dropped,
   * and writes under way are aborted.
   */
  readonly drainTimeout?: number;
}

export interface Host extends Pick<Controllers, 'stats'> {
  /** Whether every cache is complete, and with `shards` this replica has had a part once. One that follows is ready, too. */
  readonly ready: boolean;
  /** Whether nothing waits, is delayed, or is worked on. */
  readonly idle: boolean;
  /** Runs until the signal is aborted: then ends the work under way, gives up what it owns, and resolves. Once only. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The controllers as a program runs them: alone, or as one of several replicas.
 * @throws RangeError that names the option which is wrong
 */
export function createHost(options: HostOptions): Host {
  checkHost(options);
  const { clock = systemClock, drainTimeout = 10_000 } = options;
  let work: Promise<void> | undefined;
  const membership = membershipOf(options, async () => work);
  const { workers, missing } = workersOf(options, membership.ownership);
  const run = (signal: AbortSignal): Promise<void> => {
    if (missing) options.tell?.(missing);
    return runAll(workers, signal);
  };
  return {
    get ready() {
      return (membership.joined ?? true) && workers.every((worker) => worker.ready);
    },
    get idle() {
      return workers.every((worker) => worker.idle);
    },
    stats: () => statsOf(workers),
    async run(signal) {
      if (work) throw new Error('this host has run already: make a new one');
      const stop = linkedTo(signal);
      const leave = new AbortController();
      const working = run(stop.signal);
      work = working.then(nothing, nothing);
      // Whichever of the two fails ends the other one.
      const member = membership.run(leave.signal).finally(() => stop.abort());
      const ended = working.finally(() => stop.abort());
      await aborted(stop.signal);
      await Promise.race([work, pause(clock, drainTimeout, leave.signal)]);
      leave.abort();
      await Promise.all([ended, member]);
    },
  };
}

type Worker = Controllers | ServiceLoadBalancer;

interface Workers {
  /** What runs side by side. */
  readonly workers: readonly Worker[];
  /** What was asked for, and cannot run. */
  readonly missing?: RuntimeEvent;
}

function workersOf(options: HostOptions, ownership: Ownership): Workers {
  const { serviceLoadBalancer, ...rest } = options;
  const common = { ...rest, ownership };
  const { controllers } = options;
  if (controllers ? !controllers.includes('service-lb') : !serviceLoadBalancer) return { workers: [createControllers(common)] };
  const others = controllers?.filter((name) => name !== 'service-lb');
  const make = (): ServiceLoadBalancer => createServiceLoadBalancer({ ...common, cloud: undefined, ...serviceLoadBalancer });
  if (others?.length === 0) return { workers: [make()] };
  const first = createControllers({ ...common, ...(others && { controllers: others }) });
  if (serviceLoadBalancer?.cloud?.balancers) return { workers: [first, make()] };
  return { workers: [first], missing: { kind: 'missing', controller: 'service-lb', error: errorOf(make) } };
}

function errorOf(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Where one fails, the others end with it. */
async function runAll(workers: readonly Worker[], signal: AbortSignal): Promise<void> {
  const stop = linkedTo(signal);
  const ends = await Promise.allSettled(workers.map((worker) => worker.run(stop.signal).finally(() => stop.abort())));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function statsOf(workers: readonly Worker[]): ControllersStats {
  const all = workers.map((worker): Partial<ControllersStats> => worker.stats());
  return {
    objects: Object.assign({}, ...all.map(({ objects }) => objects)),
    pairs: all.reduce((sum, { pairs = 0 }) => sum + pairs, 0),
    controllers: Object.assign({}, ...all.map(({ controllers }) => controllers)),
  };
}

interface Membership {
  readonly ownership: Ownership;
  /** Of shards: whether this replica has had a part. */
  readonly joined?: boolean;
  run(signal: AbortSignal): Promise<void>;
}

function membershipOf(options: HostOptions, beforeRelease: () => Promise<void>): Membership {
  const { leaderElection, shards, identity, tell, dryRun, clock = systemClock, random = Math.random } = options;
  const settings = leaderElection ?? shards;
  if (!settings) return createAlone();
  if (leaderElection && shards) throw new RangeError('leaderElection and shards exclude each other: give one of them');
  if (!identity) throw new RangeError('identity is missing: give a text that no other process has');
  const common = {
    namespace: 'kube-system',
    name: 'kube-endpoints',
    ...settings,
    port: options.leasePort ?? options.port,
    identity,
    clock,
    random,
    beforeRelease,
    ...(tell && { tell }),
  };
  const membership = leaderElection ? createLeaderElection(common) : createSharding(common);
  // Whoever only looks takes nothing from those who work. The options are checked all the same.
  return dryRun ? createAlone() : membership;
}

const nothing = (): void => undefined;
