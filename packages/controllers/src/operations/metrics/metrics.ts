import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ControllerName, Tell } from '../../happening.ts';
import { createBalancingMetrics } from './balancing.ts';
import { createReconcileMetrics } from './reconcile.ts';
import { createRequestMetrics } from './requests.ts';
import { createSliceMetrics } from './slices.ts';
import { createStateMetrics } from './state.ts';
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
  readonly tell: Tell;
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
