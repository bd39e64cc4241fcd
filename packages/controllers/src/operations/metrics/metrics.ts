import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ControllerName } from '../../controllers/index.ts';
import type { Observer, RuntimeEvent } from '../../host/index.ts';
import { createReconcileMetrics } from './reconcile.ts';
import { createCounter, createHistogram } from './series.ts';
import { createSliceMetrics } from './slices.ts';
import { createInformerMetrics, createRequestMetrics, createStateMetrics } from './state.ts';
import { createQueueMetrics } from './workqueue.ts';

export interface MetricsOptions {
  readonly clock?: SteadyClock;
  /** Those for Endpoints and slices by default. */
  readonly controllers?: readonly ControllerName[];
  /** How many workers each controller has; 5 by default. */
  readonly workers?: number;
  /** The API server's, for the label of the requests. */
  readonly host?: string;
  /** The name of the Lease that is led by; "kube-endpoints" by default. */
  readonly lease?: string;
  /** How many objects each cache holds, by resource, asked at every scrape. */
  readonly objects?: () => Readonly<Record<string, number>>;
  /** What runs: this package's version, and the Kubernetes release whose controllers it is. */
  readonly build?: { readonly version: string; readonly release: string };
  /** Whether the process is reported on, too: CPU, memory, event loop, garbage collection. By default it is. */
  readonly process?: boolean;
}

/** Metrics of what happens, in a registry of their own. No label is a Service's, a pod's or a node's name. */
export interface Metrics {
  readonly tell: Observer;
  readonly contentType: string;
  /** All there are, in the text format of Prometheus. */
  scrape(): Promise<string>;
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { clock = systemClock, controllers = ['endpoints', 'endpointslices'], workers = 5, host = '', build } = options;
  const registry = new Registry();
  const parts = [
    createQueueMetrics(registry, clock),
    createReconcileMetrics(registry, { controllers, workers }),
    createRequestMetrics(registry, host),
    createStateMetrics(registry, { lease: options.lease ?? 'kube-endpoints', objects: options.objects }),
    ...(controllers.includes('endpointslices') ? [createSliceMetrics(registry)] : []),
    ...(controllers.includes('service-lb') ? [createBalancingMetrics(registry)] : []),
  ];
  if (build) addBuild(registry, build);
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  return {
    tell(happening) {
      for (const part of parts) part(happening);
    },
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}

function addBuild(registry: Registry, build: NonNullable<MetricsOptions['build']>): void {
  new Gauge({
    name: 'kube_endpoints_build_info',
    help: 'Always 1: which version runs, and as which Kubernetes release.',
    labelNames: ['version', 'release'],
    registers: [registry],
  }).set({ ...build }, 1);
}

/**
 * What the service controller reports, under the names of k8s.io/cloud-provider (1.36, controllers/service/metrics.go), and what the cloud
 * was asked.
 */
export function createBalancingMetrics(registry: Registry): Observer {
  const family = (name: string, help: string) => ({ registry, name, help });
  const own = (name: string, help: string) => family(`service_controller_${name}`, help);
  const updates = createCounter(own('loadbalancer_sync_total', 'How often the nodes of a load balancer were to be brought up to date.'));
  const failed = createCounter(own('nodesync_error_total', 'How often that failed.'));
  const looks = createHistogram(own('nodesync_latency_seconds', 'How long looks at the nodes took, in seconds.'), powers);
  const hosts = createHistogram(
    own('update_loadbalancer_host_latency_seconds', 'How long updates of the nodes of a load balancer took, in seconds.'),
    powers,
  );
  const calls = createCounter({
    ...family('kube_endpoints_cloud_calls_total', 'How many calls of the cloud there were, by what became of them.'),
    labelNames: ['call', 'outcome'],
  });
  const seconds = createHistogram(
    { ...family('kube_endpoints_cloud_call_duration_seconds', 'How long calls of the cloud took, in seconds.'), labelNames: ['call'] },
    callBuckets,
  );
  const orphans = createCounter({
    ...family('kube_endpoints_orphaned_load_balancers_total', 'How many load balancers seemed to have no Service, by what became of them.'),
    labelNames: ['outcome'],
  });
  for (const counter of [updates, failed]) counter.inc([], 0);
  const onCall = ({ call, outcome, milliseconds }: Extract<RuntimeEvent, { kind: 'cloud' }>): void => {
    calls.inc([call, outcome]);
    seconds.observe([call], milliseconds / 1000);
    if (call !== 'update') return;
    updates.inc([]);
    hosts.observe([], milliseconds / 1000);
  };
  return (happening) => {
    if (happening.kind === 'cloud') onCall(happening);
    else if (happening.kind === 'orphan') orphans.inc([happening.outcome]);
    else if (happening.kind === 'nodes' && happening.state === 'ended') {
      looks.observe([], happening.milliseconds / 1000);
      failed.inc([], happening.failed);
    }
  };
}

/** 1, 2, … 16,384. */
const powers = Array.from({ length: 15 }, (_, power) => 2 ** power);

const callBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

/**
 * Metrics of what follows a cluster and writes nothing, such as `createDnsFeed`: its caches and its requests. They are part of those of
 * `createMetrics`, and nothing of them is about the process.
 */
export function createFeedMetrics({ host = '', objects }: Pick<MetricsOptions, 'host' | 'objects'> = {}): Metrics {
  const registry = new Registry();
  const [caches, requests] = [createInformerMetrics(registry, { objects }), createRequestMetrics(registry, host)];
  return {
    tell(happening) {
      caches(happening);
      requests(happening);
    },
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}
