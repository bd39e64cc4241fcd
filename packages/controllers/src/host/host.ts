import { type ClientPort, systemClock } from 'kube-endpoints/port';
import { checkHost } from '../base/checks.ts';
import { createLinkedAbortController, pause, waitForAbort } from '../base/time.ts';
import { type Controllers, type ControllersOptions, type ControllersStats, createControllers } from '../controllers/index.ts';
import { createLeaderElection, createSingleReplica, type LeaseTimings, type Ownership } from '../election/index.ts';
import { createServiceLoadBalancer, type ServiceLoadBalancer, type ServiceLoadBalancerOptions } from '../service-lb/index.ts';
import { createSharding } from '../sharding/index.ts';
import type { Observer, RuntimeEvent } from './runtime-event.ts';

/** How the replicas of one host coordinate. */
export interface LeaseOptions extends LeaseTimings {
  /** Namespace of the Leases; "kube-system" by default. */
  readonly namespace?: string;
  /** Name of the Lease, or of the group of shards; "kube-endpoints" by default. */
  readonly name?: string;
}

/** Options of the service load-balancer controller that other controllers do not have. */
export interface BalancingOptions extends Pick<ServiceLoadBalancerOptions, 'cloud' | 'clusterName' | 'cloudTimeout' | 'orphanSweep'> {}

export interface HostOptions extends Omit<ControllersOptions, 'ownership' | 'onEvent'> {
  readonly onEvent?: Observer;
  /**
   * The cloud and its settings. If set, 'service-lb' is one of the default `controllers`. If 'service-lb' is requested together with other
   * controllers, but without a cloud that has load balancers, the event `missing` reports that, and the other controllers run.
   */
  readonly serviceLoadBalancer?: BalancingOptions;
  /** Identity of this replica. Required with `leaderElection` and `shards`; must be unique among the processes. */
  readonly identity?: string;
  /** One replica works; the others wait with full caches. Dry runs ignore this and `shards`. */
  readonly leaderElection?: LeaseOptions;
  /** All replicas work, each on its own Services; `name` is the name of the group. Excludes `leaderElection`. */
  readonly shards?: LeaseOptions;
  /** Port for reading and writing Leases, so that they do not queue behind other requests; `port` by default. */
  readonly leasePort?: ClientPort;
  /**
   * Milliseconds after the abort in which this replica keeps ownership to finish its work; 10,000 by default. Afterwards it drops waiting
   * keys and aborts running writes.
   */
  readonly drainTimeout?: number;
}

export interface Host extends Pick<Controllers, 'stats'> {
  /** True if every cache is complete and, with `shards`, this replica has owned a shard at least once. A follower is ready too. */
  readonly ready: boolean;
  /** True if no key is waiting, delayed or being processed. */
  readonly idle: boolean;
  /** Runs until the signal is aborted; then finishes the running work, releases its Leases, and resolves. Call it only once. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the controllers as a program runs them: alone, or as one of several replicas.
 * @throws RangeError that names the invalid option
 */
export function createHost(options: HostOptions): Host {
  checkHost(options);
  const { clock = systemClock, drainTimeout = 10_000 } = options;
  let settledWork: Promise<void> | undefined;
  const membership = createMembership(options, async () => settledWork);
  const { workers, missing } = createWorkers(options, membership.ownership);
  const run = (signal: AbortSignal): Promise<void> => {
    if (missing) options.onEvent?.(missing);
    return runAll(workers, signal);
  };
  return {
    get ready() {
      return (membership.joined ?? true) && workers.every((worker) => worker.ready);
    },
    get idle() {
      return workers.every((worker) => worker.idle);
    },
    stats: () => mergeStats(workers),
    async run(signal) {
      if (settledWork) throw new Error('this host has already run: create a new one');
      const stop = createLinkedAbortController(signal);
      const leave = new AbortController();
      const workersRun = run(stop.signal);
      settledWork = workersRun.then(ignore, ignore);
      // If the workers or the membership fail, the other stops too.
      const membershipRun = membership.run(leave.signal).finally(() => stop.abort());
      const workersEnd = workersRun.finally(() => stop.abort());
      await waitForAbort(stop.signal);
      await Promise.race([settledWork, pause(clock, drainTimeout, leave.signal)]);
      leave.abort();
      await Promise.all([workersEnd, membershipRun]);
    },
  };
}

type Worker = Controllers | ServiceLoadBalancer;

interface Workers {
  /** Run concurrently. */
  readonly workers: readonly Worker[];
  /** Reports a requested controller that cannot run. */
  readonly missing?: RuntimeEvent;
}

function createWorkers(options: HostOptions, ownership: Ownership): Workers {
  const { serviceLoadBalancer, ...controllerOptions } = options;
  const common = { ...controllerOptions, ownership };
  const { controllers } = options;
  if (controllers ? !controllers.includes('service-lb') : !serviceLoadBalancer) return { workers: [createControllers(common)] };
  const otherControllers = controllers?.filter((name) => name !== 'service-lb');
  const createBalancer = (): ServiceLoadBalancer => createServiceLoadBalancer({ ...common, cloud: undefined, ...serviceLoadBalancer });
  if (otherControllers?.length === 0) return { workers: [createBalancer()] };
  const firstWorker = createControllers({ ...common, ...(otherControllers && { controllers: otherControllers }) });
  if (serviceLoadBalancer?.cloud?.balancers) return { workers: [firstWorker, createBalancer()] };
  return { workers: [firstWorker], missing: { kind: 'missing', controller: 'service-lb', error: errorOf(createBalancer) } };
}

function errorOf(create: () => unknown): unknown {
  try {
    create();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Runs all workers. If one fails, stops the others and throws its error. */
async function runAll(workers: readonly Worker[], signal: AbortSignal): Promise<void> {
  const stop = createLinkedAbortController(signal);
  const ends = await Promise.allSettled(workers.map((worker) => worker.run(stop.signal).finally(() => stop.abort())));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function mergeStats(workers: readonly Worker[]): ControllersStats {
  const all = workers.map((worker): Partial<ControllersStats> => worker.stats());
  return {
    objects: Object.assign({}, ...all.map(({ objects }) => objects)),
    pairs: all.reduce((sum, { pairs = 0 }) => sum + pairs, 0),
    controllers: Object.assign({}, ...all.map(({ controllers }) => controllers)),
  };
}

interface Membership {
  readonly ownership: Ownership;
  /** With shards: whether this replica has owned a shard at least once. Undefined without shards. */
  readonly joined?: boolean;
  run(signal: AbortSignal): Promise<void>;
}

function createMembership(options: HostOptions, beforeRelease: () => Promise<void>): Membership {
  const { leaderElection, shards, identity, onEvent, dryRun, clock = systemClock, random = Math.random } = options;
  const settings = leaderElection ?? shards;
  if (!settings) return createSingleReplica();
  if (leaderElection && shards) throw new RangeError('leaderElection and shards exclude each other: give one of them');
  if (!identity) throw new RangeError('identity is missing: give a string unique to this process');
  const common = {
    namespace: 'kube-system',
    name: 'kube-endpoints',
    ...settings,
    port: options.leasePort ?? options.port,
    identity,
    clock,
    random,
    beforeRelease,
    ...(onEvent && { onEvent }),
  };
  const membership = leaderElection ? createLeaderElection(common) : createSharding(common);
  // A dry run must not take ownership from replicas that write. The options are validated nevertheless.
  return dryRun ? createSingleReplica() : membership;
}

const ignore = (): void => undefined;
