import { expect, test } from 'vitest';
import type { RuntimeEvent } from '../../../src/host/runtime-event.ts';
import { createFeedMetrics, createMetrics } from '../../../src/operations/index.ts';
import { informerEvent, plannedSlicesEvent, queuedEvent, syncedEvent, takenEvent } from '../runtime-events.ts';
import { samplesOf, scrapeAfter } from './scrape.ts';

test('the number of series is independent of the number of Services', async () => {
  const createSyncEvents = (key: string): RuntimeEvent[] => [
    queuedEvent({ key }),
    takenEvent({ key }),
    plannedSlicesEvent({ key, existing: 1, desired: 1, endpoints: 1 }),
    syncedEvent({ key }),
  ];
  const samplesOfOne = await scrapeAfter(createSyncEvents('shop/web'));
  const samplesOfMany = await scrapeAfter(Array.from({ length: 500 }, (_, i) => createSyncEvents(`shop/web-${i}`)).flat());
  expect(samplesOfMany.size).toBe(samplesOfOne.size);
});

test('process metrics are on by default, and instances are independent', async () => {
  const first = createMetrics();
  const second = createMetrics({ process: false });
  first.observer(syncedEvent());
  expect(await first.scrape()).toContain('process_cpu_seconds_total');
  expect(await second.scrape()).not.toContain('process_cpu_seconds_total');
  expect(await second.scrape()).toContain('controller_runtime_reconcile_total{controller="endpoints",result="success"} 0');
  expect(first.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});

test('feed metrics cover caches and requests only', async () => {
  const metrics = createFeedMetrics({ host: 'cluster:6443', objects: () => ({ pods: 30 }) });
  metrics.observer(informerEvent({ objects: 3 }));
  metrics.observer({ kind: 'request', verb: 'list', resource: 'pods', code: 200, milliseconds: 4 });
  metrics.observer({ kind: 'leadership', identity: 'a', leads: true, leader: 'a' });
  const samples = samplesOf(await metrics.scrape());
  expect(samples.get('kube_endpoints_cache_objects{resource="pods"}')).toBe(30);
  expect(samples.get('rest_client_requests_total{code="200",method="GET",host="cluster:6443"}')).toBe(1);
  const families = new Set([...samples.keys()].map((name) => name.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '')));
  expect([...families].sort()).toEqual([
    'kube_endpoints_cache_objects',
    'kube_endpoints_informer_failures_total',
    'kube_endpoints_informer_state',
    'rest_client_request_duration_seconds',
    'rest_client_requests_total',
  ]);
});
