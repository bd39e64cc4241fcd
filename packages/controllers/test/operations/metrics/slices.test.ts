import type { SlicePlan } from 'kube-endpoints';
import { describe, expect, test } from 'vitest';
import { emptyPlan, plannedSlicesEvent, syncedEvent } from '../runtime-events.ts';
import { filterSamples, scrapeAfter } from './scrape.ts';

describe('metrics of slices', () => {
  const slice = { metadata: { name: 'web-1', namespace: 'shop' } } as SlicePlan['create'][number];
  const twoCreates: SlicePlan = { ...emptyPlan, create: [slice, slice] };
  const totalsPattern = /^endpoint_slice_controller_(endpoints_desired|num_endpoint_slices|desired_endpoint_slices|services)/;

  test('sum up all Services, without deleted and disowned ones', async () => {
    const plannedWeb = plannedSlicesEvent({
      plan: twoCreates,
      existing: 1,
      desired: 2,
      endpoints: 150,
      trafficDistribution: 'PreferClose',
    });
    const plannedDatabase = plannedSlicesEvent({
      key: 'shop/db',
      existing: 1,
      desired: 1,
      endpoints: 3,
      trafficDistribution: 'unknown value',
    });
    expect(filterSamples(await scrapeAfter([plannedWeb, plannedDatabase]), totalsPattern)).toEqual({
      endpoint_slice_controller_endpoints_desired: 153,
      endpoint_slice_controller_num_endpoint_slices: 4,
      endpoint_slice_controller_desired_endpoint_slices: 3,
      'endpoint_slice_controller_services_count_by_traffic_distribution{traffic_distribution="PreferClose"}': 1,
      'endpoint_slice_controller_services_count_by_traffic_distribution{traffic_distribution="other"}': 1,
    });
    const deletedWeb = plannedSlicesEvent({
      plan: { ...emptyPlan, delete: [{} as SlicePlan['delete'][number]] },
      existing: 1,
      endpoints: 0,
    });
    expect(filterSamples(await scrapeAfter([plannedWeb, plannedDatabase, deletedWeb]), totalsPattern)).toMatchObject({
      endpoint_slice_controller_endpoints_desired: 3,
      endpoint_slice_controller_num_endpoint_slices: 1,
    });
    const disownedWeb = { kind: 'disowned', controller: 'endpointslices', key: 'shop/web' } as const;
    const disownedByEndpoints = { ...disownedWeb, controller: 'endpoints', key: 'shop/db' } as const;
    const samples = await scrapeAfter([plannedWeb, plannedDatabase, disownedWeb, disownedByEndpoints]);
    expect(samples.get('endpoint_slice_controller_num_endpoint_slices')).toBe(1);
  });

  test('count the changes of plans', async () => {
    const samples = await scrapeAfter([plannedSlicesEvent({ plan: twoCreates, added: 3, removed: 0, topology: 'Auto' })]);
    expect(filterSamples(samples, /slice_controller_(changes|.*(added_per_sync_sum|removed_per_sync_count|changed_per_sync_sum))/)).toEqual(
      {
        'endpoint_slice_controller_changes{operation="create"}': 2,
        'endpoint_slice_controller_changes{operation="update"}': 0,
        'endpoint_slice_controller_changes{operation="delete"}': 0,
        endpoint_slice_controller_endpoints_added_per_sync_sum: 3,
        endpoint_slice_controller_endpoints_removed_per_sync_count: 1,
        'endpoint_slice_controller_endpointslices_changed_per_sync_sum{topology="Auto",traffic_distribution=""}': 2,
      },
    );
  });

  test('count a sync with a stale cache as neither success nor error', async () => {
    const staleEvent = plannedSlicesEvent({ plan: { ...emptyPlan, retry: true, reasons: [{ code: 'SlicesStale', message: '' }] } });
    const createSyncedEvent = (outcome: 'success' | 'retried' | 'requeued') => syncedEvent({ controller: 'endpointslices', outcome });
    const samples = await scrapeAfter([
      staleEvent,
      createSyncedEvent('retried'),
      createSyncedEvent('retried'),
      createSyncedEvent('success'),
      createSyncedEvent('requeued'),
    ]);
    expect(filterSamples(samples, /_syncs/)).toEqual({
      'endpoint_slice_controller_syncs{result="success"}': 2,
      'endpoint_slice_controller_syncs{result="stale"}': 1,
      'endpoint_slice_controller_syncs{result="error"}': 1,
    });
  });

  test('are absent if the controller does not run', async () => {
    expect(filterSamples(await scrapeAfter([], { controllers: ['endpoints'] }), /^endpoint_slice/)).toEqual({});
  });
});
