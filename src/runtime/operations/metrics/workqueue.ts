import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RuntimeClock } from '../../clock.ts';
import type { ControllerName, Tell } from '../../happening.ts';

/** What client-go's work queues report, under the names of component-base/metrics/prometheus/workqueue (1.36). */
export function createQueueMetrics(registry: Registry, clock: RuntimeClock): Tell {
  const series = seriesIn(registry);
  const started = new Map<ControllerName, Map<string, number>>();
  const worked = (): { readonly name: string; readonly seconds: readonly number[] }[] => {
    const now = clock.elapsed();
    return [...started].map(([queue, keys]) => ({ name: queueNames[queue], seconds: [...keys.values()].map((at) => (now - at) / 1000) }));
  };
  const gauge = (name: string, help: string, value: (seconds: readonly number[]) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers: [registry],
      collect() {
        for (const { name, seconds } of worked()) this.set({ name }, value(seconds));
      },
    });
  };
  gauge('workqueue_unfinished_work_seconds', 'Time that work in progress has taken so far, all workers together, in seconds.', (seconds) =>
    seconds.reduce((sum, each) => sum + each, 0),
  );
  gauge('workqueue_longest_running_processor_seconds', 'Time that the longest work in progress has taken so far, in seconds.', (seconds) =>
    seconds.reduce((longest, each) => Math.max(longest, each), 0),
  );
  return (happening) => {
    if (happening.kind === 'queued') {
      const name = queueNames[happening.queue];
      series.adds.inc({ name });
      if (happening.retry) series.retries.inc({ name });
      series.depth.set({ name }, happening.length);
    } else if (happening.kind === 'taken') {
      const name = queueNames[happening.queue];
      series.depth.set({ name }, happening.length);
      series.waited.observe({ name }, happening.waited / 1000);
      const keys = started.get(happening.queue) ?? new Map<string, number>();
      started.set(happening.queue, keys.set(happening.key, clock.elapsed()));
    } else if (happening.kind === 'synced') {
      series.worked.observe({ name: queueNames[happening.controller] }, happening.milliseconds / 1000);
      started.get(happening.controller)?.delete(happening.key);
    }
  };
}

/** The names that kube-controller-manager gives its queues, so that what looks at them finds these, too. */
const queueNames: Readonly<Record<ControllerName, string>> = { endpoints: 'endpoint', endpointslices: 'endpoint_slice' };

/** From ten nanoseconds to ten seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

interface Series {
  readonly depth: Gauge<'name'>;
  readonly adds: Counter<'name'>;
  readonly retries: Counter<'name'>;
  readonly waited: Histogram<'name'>;
  readonly worked: Histogram<'name'>;
}

function seriesIn(registry: Registry): Series {
  const common = (name: string, help: string) => ({ name, help, labelNames: ['name'] as const, registers: [registry] });
  return {
    depth: new Gauge(common('workqueue_depth', 'How many keys wait in the queue.')),
    adds: new Counter(common('workqueue_adds_total', 'How many keys came into the queue.')),
    retries: new Counter(common('workqueue_retries_total', 'How many keys came into the queue again after a failure.')),
    waited: new Histogram({ ...common('workqueue_queue_duration_seconds', 'How long keys waited in the queue, in seconds.'), buckets }),
    worked: new Histogram({ ...common('workqueue_work_duration_seconds', 'How long the work on keys took, in seconds.'), buckets }),
  };
}
