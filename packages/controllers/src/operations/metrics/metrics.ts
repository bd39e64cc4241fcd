import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ControllerName } from '../../controllers/index.ts';
import type { EventOf, Observer } from '../../host/index.ts';
import type { RateLimiter } from '../../rate-limit/index.ts';
import { combineObservers } from '../observe-port.ts';
import { createMirrorMetrics } from './mirrors.ts';
import { createReconcileMetrics } from './reconcile.ts';
import { createCounter, createHistogram } from './series.ts';
import { createSliceMetrics } from './slices.ts';
import { createInformerMetrics, createRequestMetrics, createStateMetrics } from './state.ts';
import { createQueueMetrics } from './workqueue.ts';

export interface MetricsOptions {
  readonly clock?: SteadyClock;
  /** The endpoints, endpointslices and endpointslicemirroring controllers by default. */
  readonly controllers?: readonly ControllerName[];
  /** Number of workers of each controller except mirroring and service-lb; 5 by default. */
  readonly workers?: number;
  /** Number of workers of the mirroring controller; 5 by default. */
  readonly mirroringWorkers?: number;
  /** Number of workers of service-lb; 1 by default. */
  readonly balancingWorkers?: number;
  /** Host of the API server, for the `host` label of requests. */
  readonly host?: string;
  /** Name of the leader election Lease; "kube-endpoints" by default. */
  readonly lease?: string;
  /** Returns the number of cached objects by resource; called at every scrape. */
  readonly objects?: () => Readonly<Record<string, number>>;
  /** The version of this package, and the Kubernetes release whose controllers it reproduces. */
  readonly build?: { readonly version: string; readonly release: string };
  /** The limiter of the port, for its saturation; see `rateLimitPort`. */
  readonly rateLimiter?: Pick<RateLimiter, 'saturation'>;
  /** Whether to include process metrics: CPU, memory, event loop, garbage collection. True by default. */
  readonly process?: boolean;
}

/** Metrics in a separate registry. No label contains the name of a Service, pod or node. */
export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** All metrics in the Prometheus text format. */
  scrape(): Promise<string>;
}

const defaultControllers: readonly ControllerName[] = ['endpoints', 'endpointslices', 'endpointslicemirroring'];

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { clock = systemClock, controllers = defaultControllers, host = '', build } = options;
  const { workers = 5, mirroringWorkers = 5, balancingWorkers = 1 } = options;
  const registry = new Registry();
  const observers = [
    createQueueMetrics(registry, clock),
    createReconcileMetrics(registry, { controllers, workers, mirroringWorkers, balancingWorkers }),
    createRequestMetrics(registry, host),
    createStateMetrics(registry, { lease: options.lease ?? 'kube-endpoints', objects: options.objects }),
    ...(controllers.includes('endpointslices') ? [createSliceMetrics(registry)] : []),
    ...(controllers.includes('endpointslicemirroring') ? [createMirrorMetrics(registry)] : []),
    ...(controllers.includes('service-lb') ? [createBalancingMetrics(registry)] : []),
  ];
  if (build) addBuildInfo(registry, build);
  if (options.rateLimiter) addSaturation(registry, options.rateLimiter);
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  return toMetrics(registry, observers);
}

const toMetrics = (registry: Registry, observers: readonly Observer[]): Metrics => ({
  observer: combineObservers(...observers),
  contentType: registry.contentType,
  scrape: () => registry.metrics(),
});

function addBuildInfo(registry: Registry, build: NonNullable<MetricsOptions['build']>): void {
  new Gauge({
    name: 'kube_endpoints_build_info',
    help: 'Always 1: the version of kube-endpoints and the Kubernetes release it behaves as.',
    labelNames: ['version', 'release'],
    registers: [registry],
  }).set({ ...build }, 1);
}

/** Adds the gauge under the name of the endpoints controller's in Kubernetes 1.9, which was read every five seconds, not at a scrape. */
function addSaturation(registry: Registry, rateLimiter: Pick<RateLimiter, 'saturation'>): void {
  new Gauge({
    name: 'endpoint_controller_rate_limiter_use',
    help: 'The share of the burst of the rate limiter that is in use; more than 1 if requests are waiting.',
    registers: [registry],
    collect() {
      this.set(rateLimiter.saturation);
    },
  });
}

/**
 * Metrics of the service controller, named as in k8s.io/cloud-provider (1.36, controllers/service/metrics.go), and of calls to the cloud.
 */
export function createBalancingMetrics(registry: Registry): Observer {
  const family = (name: string, help: string) => ({ registry, name, help });
  const serviceFamily = (name: string, help: string) => family(`service_controller_${name}`, help);
  const updates = createCounter(
    serviceFamily('loadbalancer_sync_total', 'How often the nodes of a load balancer were updated, including failures.'),
  );
  const failedUpdates = createCounter(serviceFamily('nodesync_error_total', 'How often an update of the nodes of a load balancer failed.'));
  const nodeSyncSeconds = createHistogram(serviceFamily('nodesync_latency_seconds', 'How long node syncs took, in seconds.'), powersOfTwo);
  const hostUpdateSeconds = createHistogram(
    serviceFamily('update_loadbalancer_host_latency_seconds', 'How long updates of the nodes of a load balancer took, in seconds.'),
    powersOfTwo,
  );
  const calls = createCounter({
    ...family('kube_endpoints_cloud_calls_total', 'How many calls to the cloud there were, by outcome.'),
    labelNames: ['call', 'outcome'],
  });
  const callSeconds = createHistogram(
    { ...family('kube_endpoints_cloud_call_duration_seconds', 'How long calls to the cloud took, in seconds.'), labelNames: ['call'] },
    callBuckets,
  );
  const orphans = createCounter({
    ...family('kube_endpoints_orphaned_load_balancers_total', 'How many load balancers seemed to have no Service, by outcome.'),
    labelNames: ['outcome'],
  });
  for (const counter of [updates, failedUpdates]) counter.inc([], 0);
  const onCall = ({ call, outcome, milliseconds }: EventOf<'cloud'>): void => {
    calls.inc([call, outcome]);
    callSeconds.observe([call], milliseconds / 1000);
    if (call !== 'update') return;
    updates.inc([]);
    hostUpdateSeconds.observe([], milliseconds / 1000);
  };
  return (event) => {
    if (event.kind === 'cloud') onCall(event);
    else if (event.kind === 'orphan') orphans.inc([event.outcome]);
    else if (event.kind === 'nodes' && event.state === 'ended') {
      nodeSyncSeconds.observe([], event.milliseconds / 1000);
      failedUpdates.inc([], event.failed);
    }
  };
}

/** 1, 2, … 16,384. */
const powersOfTwo = Array.from({ length: 15 }, (_, power) => 2 ** power);

const callBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

/**
 * Metrics of a component that only reads from a cluster, such as `createDnsFeed`: its caches and requests. They are a subset of those of
 * `createMetrics`, without process metrics.
 */
export function createFeedMetrics({ host = '', objects }: Pick<MetricsOptions, 'host' | 'objects'> = {}): Metrics {
  const registry = new Registry();
  return toMetrics(registry, [createInformerMetrics(registry, { objects }), createRequestMetrics(registry, host)]);
}
