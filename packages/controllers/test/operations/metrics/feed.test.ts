import { expect, test } from 'vitest';
import { createFeedMetrics } from '../../../src/operations/index.ts';
import { informer } from '../happenings.ts';
import { samplesOf } from './scrape.ts';

test('a feed has metrics of its caches and requests, and of nothing else', async () => {
  const metrics = createFeedMetrics({ host: 'cluster:6443', objects: () => ({ pods: 30 }) });
  metrics.tell(informer({ objects: 3 }));
  metrics.tell({ kind: 'request', verb: 'list', resource: 'pods', code: 200, milliseconds: 4 });
  metrics.tell({ kind: 'leadership', identity: 'a', leads: true, leader: 'a' });
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
