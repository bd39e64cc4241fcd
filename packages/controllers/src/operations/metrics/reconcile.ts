import type { Registry } from 'prom-client';
import type { ControllerName, SyncOutcome } from '../../controllers/index.ts';
import type { Observer } from '../../host/index.ts';
import { createCounter, createGauge, createHistogram } from './series.ts';

export interface ReconcileMetricsOptions {
  readonly controllers: readonly ControllerName[];
  /** Number of workers of each controller except mirroring and service-lb. */
  readonly workers: number;
  readonly mirroringWorkers: number;
  readonly balancingWorkers: number;
}

/** Creates the reconcile metrics of controller-runtime, under its names, and a counter of writes. */
export function createReconcileMetrics(registry: Registry, options: ReconcileMetricsOptions): Observer {
  const { controllers, workers, mirroringWorkers, balancingWorkers } = options;
  const ownWorkers: Partial<Record<ControllerName, number>> = { endpointslicemirroring: mirroringWorkers, 'service-lb': balancingWorkers };
  const { syncs, errors, droppedKeys, seconds, activeWorkers, maxWorkers, writes } = createSeries(registry);
  for (const controller of controllers) {
    maxWorkers.set([controller], ownWorkers[controller] ?? workers);
    activeWorkers.set([controller], 0);
    for (const counter of [errors, droppedKeys, writes]) counter.inc([controller], 0);
    for (const result of Object.values(results)) syncs.inc([controller, result], 0);
  }
  return (event) => {
    if (event.kind === 'taken') activeWorkers.inc([event.queue]);
    if (event.kind !== 'synced') return;
    const { controller, outcome, milliseconds } = event;
    const labels = [controller];
    activeWorkers.inc(labels, -1);
    syncs.inc([controller, results[outcome]]);
    seconds.observe(labels, milliseconds / 1000);
    if (event.writes > 0) writes.inc(labels, event.writes);
    if (results[outcome] === 'error') errors.inc(labels);
    if (outcome === 'dropped') droppedKeys.inc(labels);
  };
}

const results: Readonly<Record<SyncOutcome, string>> = { success: 'success', requeued: 'requeue', retried: 'error', dropped: 'error' };

/** The buckets of controller-runtime: finest below half a second, up to a minute. */
const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5,
  5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

function createSeries(registry: Registry) {
  const family = (name: string, help: string) => ({ registry, name, help, labelNames: ['controller'] });
  const runtimeFamily = (name: string, help: string) => family(`controller_runtime_${name}`, help);
  return {
    syncs: createCounter({
      ...runtimeFamily('reconcile_total', 'How many syncs there were, by how they ended.'),
      labelNames: ['controller', 'result'],
    }),
    errors: createCounter(runtimeFamily('reconcile_errors_total', 'How many syncs failed.')),
    droppedKeys: createCounter(runtimeFamily('terminal_reconcile_errors_total', 'How many keys were dropped after too many failed syncs.')),
    seconds: createHistogram(runtimeFamily('reconcile_time_seconds', 'How long syncs took, in seconds.'), buckets),
    activeWorkers: createGauge(runtimeFamily('active_workers', 'How many workers are busy.')),
    maxWorkers: createGauge(runtimeFamily('max_concurrent_reconciles', 'How many workers there are.')),
    writes: createCounter(family('kube_endpoints_writes_total', 'How many objects were created, updated and deleted.')),
  };
}
