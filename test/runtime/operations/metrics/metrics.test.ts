import { describe, expect, test } from 'vitest';
import type { SlicePlan } from '../../../../src/core/index.ts';
import type { CoreEvent } from '../../../../src/runtime/events/event.ts';
import type { Happening } from '../../../../src/runtime/happening.ts';
import { createMetrics, type MetricsOptions } from '../../../../src/runtime/operations/index.ts';
import { emptyPlan, informer, plannedSlices, queued, standingClock, synced, taken } from '../happenings.ts';

/** The samples of a scrape, by name and labels as they stand there. */
async function scrapeAfter(happenings: readonly Happening[], options: MetricsOptions = {}): Promise<ReadonlyMap<string, number>> {
  const metrics = createMetrics({ clock: standingClock(), process: false, ...options });
  for (const happening of happenings) metrics.tell(happening);
  return samplesOf(await metrics.scrape());
}

const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

const matching = (samples: ReadonlyMap<string, number>, pattern: RegExp): object =>
  Object.fromEntries([...samples].filter(([name]) => pattern.test(name)));

describe('queues', () => {
  test('depth, adds, retries and the time that keys wait, under the names of kube-controller-manager', async () => {
    const samples = await scrapeAfter([
      queued({ length: 1 }),
      queued({ key: 'shop/db', length: 2, retry: true }),
      taken({ length: 1, waited: 20 }),
      queued({ queue: 'endpointslices', length: 7 }),
    ]);
    expect(matching(samples, /^workqueue_(depth|adds|retries)/)).toEqual({
      'workqueue_depth{name="endpoint"}': 1,
      'workqueue_depth{name="endpoint_slice"}': 7,
      'workqueue_adds_total{name="endpoint"}': 2,
      'workqueue_adds_total{name="endpoint_slice"}': 1,
      'workqueue_retries_total{name="endpoint"}': 1,
    });
    expect(matching(samples, /^workqueue_queue_duration_seconds_(sum|count|bucket\{le="(0.01|0.1)")/)).toEqual({
      'workqueue_queue_duration_seconds_bucket{le="0.01",name="endpoint"}': 0,
      'workqueue_queue_duration_seconds_bucket{le="0.1",name="endpoint"}': 1,
      'workqueue_queue_duration_seconds_sum{name="endpoint"}': 0.02,
      'workqueue_queue_duration_seconds_count{name="endpoint"}': 1,
    });
  });

  test('work in progress is seen before it ends, and no more afterwards', async () => {
    const clock = standingClock();
    const metrics = createMetrics({ clock, process: false });
    const inProgress = async (): Promise<object> => {
      const samples = matching(samplesOf(await metrics.scrape()), /unfinished|longest/);
      return samples;
    };
    metrics.tell(taken({ key: 'shop/web' }));
    clock.pass(2000);
    metrics.tell(taken({ key: 'shop/db' }));
    clock.pass(1000);
    expect(await inProgress()).toEqual({
      'workqueue_unfinished_work_seconds{name="endpoint"}': 4,
      'workqueue_longest_running_processor_seconds{name="endpoint"}': 3,
    });
    metrics.tell(synced({ key: 'shop/web', milliseconds: 3000 }));
    metrics.tell(synced({ key: 'shop/db', milliseconds: 1000 }));
    expect(await inProgress()).toEqual({
      'workqueue_unfinished_work_seconds{name="endpoint"}': 0,
      'workqueue_longest_running_processor_seconds{name="endpoint"}': 0,
    });
    expect(samplesOf(await metrics.scrape()).get('workqueue_work_duration_seconds_sum{name="endpoint"}')).toBe(4);
  });
});

describe('syncs', () => {
  test('are counted by how they ended; failures are errors, and the last one of them is terminal', async () => {
    const samples = await scrapeAfter(
      [
        synced({ writes: 2 }),
        synced({ outcome: 'requeued' }),
        synced({ outcome: 'retried', error: new Error('no'), failures: 1 }),
        synced({ outcome: 'dropped', error: new Error('no'), failures: 16 }),
      ],
      { controllers: ['endpoints'], workers: 3 },
    );
    expect(matching(samples, /^(controller_runtime_(reconcile_(total|errors)|terminal|max)|kube_endpoints_writes)/)).toEqual({
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

  test('workers are active between taking a key and the end of its sync', async () => {
    const active = 'controller_runtime_active_workers{controller="endpoints"}';
    expect((await scrapeAfter([taken()])).get(active)).toBe(1);
    expect((await scrapeAfter([taken(), synced()])).get(active)).toBe(0);
  });
});

test('requests are counted by code, method and host; watches have no duration', async () => {
  const request = { kind: 'request', resource: 'pods', milliseconds: 50 } as const;
  const samples = await scrapeAfter(
    [
      { ...request, verb: 'list', code: 200 },
      { ...request, verb: 'watch', code: 200 },
      { ...request, verb: 'update', code: 409 },
      { ...request, verb: 'create', code: 0 },
    ],
    { host: 'api:6443' },
  );
  expect(matching(samples, /^rest_client_requests_total|duration_seconds_count/)).toEqual({
    'rest_client_requests_total{code="200",method="GET",host="api:6443"}': 2,
    'rest_client_requests_total{code="409",method="PUT",host="api:6443"}': 1,
    'rest_client_requests_total{code="<error>",method="POST",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="GET",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="PUT",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="POST",host="api:6443"}': 1,
  });
});

describe('slices', () => {
  const slice = { metadata: { name: 'web-1', namespace: 'shop' } } as SlicePlan['create'][number];
  const one: SlicePlan = { ...emptyPlan, create: [slice, slice] };
  const totals = /^endpoint_slice_controller_(endpoints_desired|num_endpoint_slices|desired_endpoint_slices|services)/;

  test('totals follow what becomes of each Service', async () => {
    const web = plannedSlices({ plan: one, there: 1, desired: 2, endpoints: 150, trafficDistribution: 'PreferClose' });
    const database = plannedSlices({ key: 'shop/db', there: 1, desired: 1, endpoints: 3, trafficDistribution: 'made up' });
    expect(matching(await scrapeAfter([web, database]), totals)).toEqual({
      endpoint_slice_controller_endpoints_desired: 153,
      endpoint_slice_controller_num_endpoint_slices: 4,
      endpoint_slice_controller_desired_endpoint_slices: 3,
      'endpoint_slice_controller_services_count_by_traffic_distribution{traffic_distribution="PreferClose"}': 1,
      'endpoint_slice_controller_services_count_by_traffic_distribution{traffic_distribution="other"}': 1,
    });
    const gone = plannedSlices({ plan: { ...emptyPlan, delete: [{} as SlicePlan['delete'][number]] }, there: 1, endpoints: 0 });
    expect(matching(await scrapeAfter([web, database, gone]), totals)).toMatchObject({
      endpoint_slice_controller_endpoints_desired: 3,
      endpoint_slice_controller_num_endpoint_slices: 1,
    });
    const follower = { kind: 'leadership', identity: 'a', leads: false, leader: 'b' } as const;
    expect((await scrapeAfter([web, follower])).get('endpoint_slice_controller_num_endpoint_slices')).toBe(0);
  });

  test('what a plan changes', async () => {
    const samples = await scrapeAfter([plannedSlices({ plan: one, added: 3, removed: 0, topology: 'Auto' })]);
    expect(matching(samples, /changes|added_per_sync_sum|removed_per_sync_count|changed_per_sync_sum/)).toEqual({
      'endpoint_slice_controller_changes{operation="create"}': 2,
      'endpoint_slice_controller_changes{operation="update"}': 0,
      'endpoint_slice_controller_changes{operation="delete"}': 0,
      endpoint_slice_controller_endpoints_added_per_sync_sum: 3,
      endpoint_slice_controller_endpoints_removed_per_sync_count: 1,
      'endpoint_slice_controller_endpointslices_changed_per_sync_sum{topology="Auto",traffic_distribution=""}': 2,
    });
  });

  test('a sync over a stale cache is neither a success nor an error', async () => {
    const stale = plannedSlices({ plan: { ...emptyPlan, retry: true, reasons: [{ code: 'SlicesStale', message: '' }] } });
    const end = (outcome: 'success' | 'retried' | 'requeued') => synced({ controller: 'endpointslices', outcome });
    const samples = await scrapeAfter([stale, end('retried'), end('retried'), end('success'), end('requeued')]);
    expect(matching(samples, /_syncs/)).toEqual({
      'endpoint_slice_controller_syncs{result="success"}': 2,
      'endpoint_slice_controller_syncs{result="stale"}': 1,
      'endpoint_slice_controller_syncs{result="error"}': 1,
    });
  });

  test('there are none where the controller does not run', async () => {
    expect(matching(await scrapeAfter([], { controllers: ['endpoints'] }), /^endpoint_slice/)).toEqual({});
  });
});

describe('where the replica stands', () => {
  test('its caches', async () => {
    const failed = informer({ state: 'waiting', error: new Error('gone'), delay: 800 });
    const samples = await scrapeAfter([informer({ objects: 3 }), failed, informer({ resource: 'nodes', objects: 2 })], {
      objects: () => ({ pods: 30 }),
    });
    expect(matching(samples, /^kube_endpoints_(cache|informer).*(pods|nodes)"(\}|,state="wa)/)).toEqual({
      'kube_endpoints_cache_objects{resource="pods"}': 30,
      'kube_endpoints_cache_objects{resource="nodes"}': 2,
      'kube_endpoints_informer_state{resource="pods",state="watching"}': 0,
      'kube_endpoints_informer_state{resource="pods",state="waiting"}': 1,
      'kube_endpoints_informer_state{resource="nodes",state="watching"}': 1,
      'kube_endpoints_informer_state{resource="nodes",state="waiting"}': 0,
      'kube_endpoints_informer_failures_total{resource="pods"}': 1,
      'kube_endpoints_informer_failures_total{resource="nodes"}': 0,
    });
  });

  test('whether it leads, with whom it shares, what it is', async () => {
    const happenings: Happening[] = [
      { kind: 'leadership', identity: 'a', leads: true, leader: 'a' },
      { kind: 'shards', identity: 'a', members: ['a', 'b', 'c'] },
      { kind: 'event', event: { type: 'Warning' } as CoreEvent, outcome: 'filtered' },
    ];
    const samples = await scrapeAfter(happenings, { lease: 'ours', build: { version: '1.2.3', release: '1.36' } });
    expect(matching(samples, /^(leader|kube_endpoints_(shard|build|events))/)).toEqual({
      'leader_election_master_status{name="ours"}': 1,
      kube_endpoints_shard_members: 3,
      'kube_endpoints_events_total{type="Warning",outcome="filtered"}': 1,
      'kube_endpoints_build_info{version="1.2.3",release="1.36"}': 1,
    });
  });
});

test('the number of series does not grow with the number of Services', async () => {
  const cycle = (key: string): Happening[] => [
    queued({ key }),
    taken({ key }),
    plannedSlices({ key, there: 1, desired: 1, endpoints: 1 }),
    synced({ key }),
  ];
  const one = await scrapeAfter(cycle('shop/web'));
  const many = await scrapeAfter(Array.from({ length: 500 }, (_, i) => cycle(`shop/web-${i}`)).flat());
  expect(many.size).toBe(one.size);
});

test('the process is reported on by default, and two instances know nothing of each other', async () => {
  const first = createMetrics();
  const second = createMetrics({ process: false });
  first.tell(synced());
  expect(await first.scrape()).toContain('process_cpu_seconds_total');
  expect(await second.scrape()).not.toContain('process_cpu_seconds_total');
  expect(await second.scrape()).toContain('controller_runtime_reconcile_total{controller="endpoints",result="success"} 0');
  expect(first.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
