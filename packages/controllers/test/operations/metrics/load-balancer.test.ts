import { expect, test } from 'vitest';
import type { CloudCall, CloudOutcome, LoadBalancerEvent } from '../../../src/service-lb/load-balancer-event.ts';
import { queuedEvent, syncedEvent, takenEvent } from '../runtime-events.ts';
import { filterSamples, scrapeAfter } from './scrape.ts';

const options = { controllers: ['service-lb'] } as const;
const cloudEvent = (call: CloudCall, outcome: CloudOutcome, milliseconds = 0): LoadBalancerEvent => ({
  kind: 'cloud',
  call,
  key: 'shop/web',
  outcome,
  milliseconds,
});
const nodeSyncEvent = (state: 'due' | 'begun' | 'ended', milliseconds = 0, failed = 0): LoadBalancerEvent => ({
  kind: 'nodes',
  state,
  milliseconds,
  services: 3,
  failed,
});

test('node updates and node syncs have the metrics of the service controller of Kubernetes', async () => {
  const samples = await scrapeAfter(
    [
      nodeSyncEvent('due'),
      nodeSyncEvent('begun', 1000),
      cloudEvent('update', 'answered', 1500),
      cloudEvent('update', 'failed', 500),
      nodeSyncEvent('ended', 3000, 1),
    ],
    options,
  );
  expect(filterSamples(samples, /^service_controller_\w+_(total|sum|count)$/)).toEqual({
    service_controller_loadbalancer_sync_total: 2,
    service_controller_nodesync_error_total: 1,
    service_controller_nodesync_latency_seconds_sum: 3,
    service_controller_nodesync_latency_seconds_count: 1,
    service_controller_update_loadbalancer_host_latency_seconds_sum: 2,
    service_controller_update_loadbalancer_host_latency_seconds_count: 2,
  });
  expect(samples.get('service_controller_nodesync_latency_seconds_bucket{le="2"}')).toBe(0);
  expect(samples.get('service_controller_nodesync_latency_seconds_bucket{le="4"}')).toBe(1);
});

test('cloud calls and orphaned load balancers are counted', async () => {
  const orphan: LoadBalancerEvent = { kind: 'orphan', key: 'shop/web', uid: 'u1', outcome: 'deleted' };
  const samples = await scrapeAfter([cloudEvent('ensure', 'late', 300_000), cloudEvent('get', 'answered'), orphan], options);
  expect(filterSamples(samples, /^kube_endpoints_(cloud_calls|orphaned)/)).toEqual({
    'kube_endpoints_cloud_calls_total{call="ensure",outcome="late"}': 1,
    'kube_endpoints_cloud_calls_total{call="get",outcome="answered"}': 1,
    'kube_endpoints_orphaned_load_balancers_total{outcome="deleted"}': 1,
  });
  expect(samples.get('kube_endpoints_cloud_call_duration_seconds_sum{call="ensure"}')).toBe(300);
});

test('queues have their names in the service controller of Kubernetes', async () => {
  const samples = await scrapeAfter(
    [
      queuedEvent({ queue: 'service-lb' }),
      takenEvent({ queue: 'service-lb' }),
      syncedEvent({ controller: 'service-lb' }),
      nodeSyncEvent('due'),
      nodeSyncEvent('begun', 1000),
      nodeSyncEvent('ended', 2000),
      nodeSyncEvent('due'),
    ],
    options,
  );
  expect(filterSamples(samples, /^workqueue_(adds_total|depth|queue_duration_seconds_sum|work_duration_seconds_sum)/)).toEqual({
    'workqueue_adds_total{name="service"}': 1,
    'workqueue_adds_total{name="node"}': 2,
    'workqueue_depth{name="service"}': 0,
    'workqueue_depth{name="node"}': 1,
    'workqueue_queue_duration_seconds_sum{name="service"}': 0.02,
    'workqueue_queue_duration_seconds_sum{name="node"}': 1,
    'workqueue_work_duration_seconds_sum{name="service"}': 0.0123456,
    'workqueue_work_duration_seconds_sum{name="node"}': 2,
  });
});

test('metrics of the service controller are absent if it does not run', async () => {
  expect(filterSamples(await scrapeAfter([]), /^service_controller/)).toEqual({});
});
