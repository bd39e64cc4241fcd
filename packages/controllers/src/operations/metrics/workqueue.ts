import type { SteadyClock } from 'kube-endpoints/port';
import { Gauge as CollectedGauge, type Registry } from 'prom-client';
import type { ControllerName } from '../../controllers/index.ts';
import type { EventOf, Observer } from '../../host/index.ts';
import { createCounter, createGauge, createHistogram } from './series.ts';

/** The work queue metrics of client-go, under the names of component-base/metrics/prometheus/workqueue (1.36). */
export function createQueueMetrics(registry: Registry, clock: SteadyClock): Observer {
  const series = createSeries(registry);
  const startTimes = new Map<ControllerName | 'nodes', Map<string, number>>();
  const listRunningWork = (): { readonly name: string; readonly seconds: readonly number[] }[] => {
    const now = clock.elapsed();
    return [...startTimes].map(([queue, keys]) => ({
      name: queueLabels[queue][0],
      seconds: [...keys.values()].map((start) => (now - start) / 1000),
    }));
  };
  const addGauge = (name: string, help: string, value: (seconds: readonly number[]) => number): void => {
    new CollectedGauge({
      name,
      help,
      labelNames: ['name'],
      registers: [registry],
      collect() {
        for (const { name, seconds } of listRunningWork()) this.set({ name }, value(seconds));
      },
    });
  };
  addGauge('workqueue_unfinished_work_seconds', 'Time that all work in progress has taken so far, in seconds.', (seconds) =>
    seconds.reduce((sum, each) => sum + each, 0),
  );
  addGauge(
    'workqueue_longest_running_processor_seconds',
    'Time that the longest work in progress has taken so far, in seconds.',
    (seconds) => seconds.reduce((longest, each) => Math.max(longest, each), 0),
  );
  return (event) => {
    if (event.kind === 'queued') {
      const labels = queueLabels[event.queue];
      series.adds.inc(labels);
      if (event.retry) series.retries.inc(labels);
      series.depth.set(labels, event.length);
    } else if (event.kind === 'taken') {
      const labels = queueLabels[event.queue];
      series.depth.set(labels, event.length);
      series.waitSeconds.observe(labels, event.waited / 1000);
      const keys = startTimes.get(event.queue) ?? new Map<string, number>();
      startTimes.set(event.queue, keys.set(event.key, clock.elapsed()));
    } else if (event.kind === 'synced') {
      series.workSeconds.observe(queueLabels[event.controller], event.milliseconds / 1000);
      startTimes.get(event.controller)?.delete(event.key);
    } else if (event.kind === 'nodes') observeNodeSync(event, series, startTimes, clock);
  };
}

/** The queue names of Kubernetes' controller managers, so that existing dashboards work. */
const queueLabels: Readonly<Record<ControllerName | 'nodes', readonly [string]>> = {
  endpoints: ['endpoint'],
  endpointslices: ['endpoint_slice'],
  endpointslicemirroring: ['endpoint_slice_mirroring'],
  'service-lb': ['service'],
  nodes: ['node'],
};

/** Counts node syncs as a queue, as upstream does. */
function observeNodeSync(
  { state, milliseconds }: EventOf<'nodes'>,
  series: Series,
  startTimes: Map<ControllerName | 'nodes', Map<string, number>>,
  clock: SteadyClock,
): void {
  const labels = queueLabels.nodes;
  if (state === 'due') {
    series.adds.inc(labels);
    series.depth.set(labels, 1);
  } else if (state === 'begun') {
    series.depth.set(labels, 0);
    series.waitSeconds.observe(labels, milliseconds / 1000);
    startTimes.set('nodes', new Map([['', clock.elapsed()]]));
  } else {
    series.workSeconds.observe(labels, milliseconds / 1000);
    startTimes.delete('nodes');
  }
}

/** From ten nanoseconds to ten seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

type Series = ReturnType<typeof createSeries>;

function createSeries(registry: Registry) {
  const family = (name: string, help: string) => ({ registry, name: `workqueue_${name}`, help, labelNames: ['name'] });
  return {
    depth: createGauge(family('depth', 'How many keys wait in the queue.')),
    adds: createCounter(family('adds_total', 'How many keys were added to the queue.')),
    retries: createCounter(family('retries_total', 'How many keys were added to the queue again after a failure.')),
    waitSeconds: createHistogram(family('queue_duration_seconds', 'How long keys waited in the queue, in seconds.'), buckets),
    workSeconds: createHistogram(family('work_duration_seconds', 'How long the work on keys took, in seconds.'), buckets),
  };
}
