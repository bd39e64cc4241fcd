import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/operations/index.ts';
import { createStoppedClock, queuedEvent, syncedEvent, takenEvent } from '../runtime-events.ts';
import { filterSamples, samplesOf, scrapeAfter } from './scrape.ts';

describe('metrics of queues', () => {
  test('use the names of kube-controller-manager', async () => {
    const samples = await scrapeAfter([
      queuedEvent({ length: 1 }),
      queuedEvent({ key: 'shop/db', length: 2, retry: true }),
      takenEvent({ length: 1, waited: 20 }),
      queuedEvent({ queue: 'endpointslices', length: 7 }),
    ]);
    expect(filterSamples(samples, /^workqueue_(depth|adds|retries)/)).toEqual({
      'workqueue_depth{name="endpoint"}': 1,
      'workqueue_depth{name="endpoint_slice"}': 7,
      'workqueue_adds_total{name="endpoint"}': 2,
      'workqueue_adds_total{name="endpoint_slice"}': 1,
      'workqueue_retries_total{name="endpoint"}': 1,
    });
    expect(filterSamples(samples, /^workqueue_queue_duration_seconds_(sum|count|bucket\{le="(0.01|0.1)")/)).toEqual({
      'workqueue_queue_duration_seconds_bucket{le="0.01",name="endpoint"}': 0,
      'workqueue_queue_duration_seconds_bucket{le="0.1",name="endpoint"}': 1,
      'workqueue_queue_duration_seconds_sum{name="endpoint"}': 0.02,
      'workqueue_queue_duration_seconds_count{name="endpoint"}': 1,
    });
  });

  test('show work in progress until it ends', async () => {
    const clock = createStoppedClock();
    const metrics = createMetrics({ clock, process: false });
    const scrapeInProgress = async (): Promise<object> => filterSamples(samplesOf(await metrics.scrape()), /unfinished|longest/);
    metrics.observer(takenEvent({ key: 'shop/web' }));
    clock.pass(2000);
    metrics.observer(takenEvent({ key: 'shop/db' }));
    clock.pass(1000);
    expect(await scrapeInProgress()).toEqual({
      'workqueue_unfinished_work_seconds{name="endpoint"}': 4,
      'workqueue_longest_running_processor_seconds{name="endpoint"}': 3,
    });
    metrics.observer(syncedEvent({ key: 'shop/web', milliseconds: 3000 }));
    metrics.observer(syncedEvent({ key: 'shop/db', milliseconds: 1000 }));
    expect(await scrapeInProgress()).toEqual({
      'workqueue_unfinished_work_seconds{name="endpoint"}': 0,
      'workqueue_longest_running_processor_seconds{name="endpoint"}': 0,
    });
    expect(samplesOf(await metrics.scrape()).get('workqueue_work_duration_seconds_sum{name="endpoint"}')).toBe(4);
  });
});
