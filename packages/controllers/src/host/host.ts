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

/** Options of the service load-balancer controller that other controllers do not have, and the number of its own workers. */
export interface BalancingOptions
  extends Pick<ServiceLoadBalancerOptions, 'cloud' | 'clusterName' | 'cloudTimeout' | 'orphanSweep' | 'workers'> {}

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
  const coordinator = createCoordinator(options, async () => settledWork);
  const { workers, missingEvent } = createWorkers(options, coordinator.ownership);
  const run = (signal: AbortSignal): Promise<void> => {
    if (missingEvent) options.onEvent?.(missingEvent);
    return runAll(workers, signal);
  };
  return {
    get ready() {
      return (coordinator.joined ?? true) && workers.every((worker) => worker.ready);
    },
    get idle() {
      return workers.every((worker) => worker.idle);
    },
    stats: () => mergeStats(workers),
    async run(signal) {
      if (settledWork) throw new Error('this host has already run: create a new one');
      const stopController = createLinkedAbortController(signal);
      const leaveController = new AbortController();
      const workersRun = run(stopController.signal);
      settledWork = workersRun.then(ignore, ignore);
      // If the workers or the coordinator fail, the other stops too.
      const coordinatorRun = coordinator.run(leaveController.signal).finally(() => stopController.abort());
      const workersEnd = workersRun.finally(() => stopController.abort());
      await waitForAbort(stopController.signal);
      await Promise.race([settledWork, pause(clock, drainTimeout, leaveController.signal)]);
      leaveController.abort();
      await Promise.all([workersEnd, coordinatorRun]);
    },
  };
}

type Worker = Controllers | ServiceLoadBalancer;

interface Workers {
  /** Run concurrently. */
  readonly workers: readonly Worker[];
  /** Reports a requested controller that cannot run. */
  readonly missingEvent?: RuntimeEvent;
}

function createWorkers(options: HostOptions, ownership: Ownership): Workers {
  const { serviceLoadBalancer, ...controllerOptions } = options;
  const sharedOptions = { ...controllerOptions, ownership };
  const { controllers } = options;
  if (controllers ? !controllers.includes('service-lb') : !serviceLoadBalancer) return { workers: [createControllers(sharedOptions)] };
  const otherControllers = controllers?.filter((name) => name !== 'service-lb');
  const createBalancer = (): ServiceLoadBalancer => {
    const { workers: _, ...optionsOfAll } = sharedOptions;
    return createServiceLoadBalancer({ ...optionsOfAll, cloud: undefined, ...serviceLoadBalancer });
  };
  if (otherControllers?.length === 0) return { workers: [createBalancer()] };
  const firstWorker = createControllers({ ...sharedOptions, ...(otherControllers && { controllers: otherControllers }) });
  if (serviceLoadBalancer?.cloud?.balancers) return { workers: [firstWorker, createBalancer()] };
  return { workers: [firstWorker], missingEvent: { kind: 'missing', controller: 'service-lb', error: errorOf(createBalancer) } };
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
  const stopController = createLinkedAbortController(signal);
  const ends = await Promise.allSettled(workers.map((worker) => worker.run(stopController.signal).finally(() => stopController.abort())));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function mergeStats(workers: readonly Worker[]): ControllersStats {
  const workerStats = workers.map((worker): Partial<ControllersStats> => worker.stats());
  return {
    objects: Object.assign({}, ...workerStats.map(({ objects }) => objects)),
    pairs: workerStats.reduce((sum, { pairs = 0 }) => sum + pairs, 0),
    controllers: Object.assign({}, ...workerStats.map(({ controllers }) => controllers)),
  };
}

interface Coordinator {
  readonly ownership: Ownership;
  /** With shards: whether this replica has owned a shard at least once. Undefined without shards. */
  readonly joined?: boolean;
  run(signal: AbortSignal): Promise<void>;
}

function createCoordinator(options: HostOptions, beforeRelease: () => Promise<void>): Coordinator {
  const { leaderElection, shards, identity, onEvent, dryRun, clock = systemClock, random = Math.random } = options;
  const settings = leaderElection ?? shards;
  if (!settings) return createSingleReplica();
  if (leaderElection && shards) throw new RangeError('leaderElection and shards exclude each other: give one of them');
  if (!identity) throw new RangeError('identity is missing: give a string unique to this process');
  const replicaOptions = {
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
  const coordinator = leaderElection ? createLeaderElection(replicaOptions) : createSharding(replicaOptions);
  // A dry run must not take ownership from replicas that write. The options are validated nevertheless.
  return dryRun ? createSingleReplica() : coordinator;
}

const ignore = (): void => undefined;
