import { describe, expect, test } from 'vitest';
import { syncedEvent, takenEvent } from '../runtime-events.ts';
import { filterSamples, scrapeAfter } from './scrape.ts';

describe('syncs', () => {
  test('are counted by outcome; a drop also counts as a terminal error', async () => {
    const samples = await scrapeAfter(
      [
        syncedEvent({ writes: 2 }),
        syncedEvent({ outcome: 'requeued' }),
        syncedEvent({ outcome: 'retried', error: new Error('no'), failures: 1 }),
        syncedEvent({ outcome: 'dropped', error: new Error('no'), failures: 16 }),
      ],
      { controllers: ['endpoints'], workers: 3 },
    );
    expect(filterSamples(samples, /^(controller_runtime_(reconcile_(total|errors)|terminal|max)|kube_endpoints_writes)/)).toEqual({
      'controller_runtime_reconcile_total{controller="endpoints",result="success"}': 1,
      'controller_runtime_reconcile_total{controller="endpoints",result="requeue"}': 1,
      'controller_runtime_reconcile_total{controller="endpoints",result="error"}': 2,
      'controller_runtime_reconcile_errors_total{controller="endpoints"}': 2,
      'controller_runtime_terminal_reconcile_errors_total{controller="endpoints"}': 1,
      'controller_runtime_max_concurrent_reconciles{controller="endpoints"}': 3,
      'kube_endpoints_writes_total{controller="endpoints"}': 2,
    });
    expect(samples.get('controller_runtime_reconcile_time_seconds_count{controller="endpoints"}')).toBe(4);
  });

  test('count active workers from dequeue to the end of the sync', async () => {
    const activeWorkersSeries = 'controller_runtime_active_workers{controller="endpoints"}';
    expect((await scrapeAfter([takenEvent()])).get(activeWorkersSeries)).toBe(1);
    expect((await scrapeAfter([takenEvent(), syncedEvent()])).get(activeWorkersSeries)).toBe(0);
  });
});
