import type { SlicePlan } from 'kube-endpoints';
import { describe, expect, test } from 'vitest';
import type { RuntimeEvent } from '../../../src/host/runtime-event.ts';
import { emptyPlan, syncedEvent } from '../runtime-events.ts';
import { filterSamples, scrapeAfter } from './scrape.ts';

type PlannedMirror = Extract<RuntimeEvent, { kind: 'planned'; controller: 'endpointslicemirroring' }>;

const figures = { endpoints: 150, desired: 2, added: 3, updated: 2, removed: 1, skipped: 4 };
const slice = { metadata: { name: 'db-1', namespace: 'shop' } } as SlicePlan['create'][number];
const plannedEvent = (fields: Partial<PlannedMirror> = {}): RuntimeEvent => ({
  kind: 'planned',
  controller: 'endpointslicemirroring',
  key: 'shop/db',
  plan: emptyPlan,
  existing: 0,
  ...fields,
});
const unmirrored = plannedEvent({ plan: { ...emptyPlan, delete: [{} as SlicePlan['delete'][number]] }, existing: 1 });
const totalsPattern = /^endpoint_slice_mirroring_controller_(endpoints_desired|num_endpoint_slices|desired_endpoint_slices)/;

describe('metrics of mirroring', () => {
  test('sum up all Services, without those that are no longer mirrored or owned', async () => {
    const first = plannedEvent({ plan: { ...emptyPlan, create: [slice, slice] }, existing: 1, figures });
    const second = plannedEvent({ key: 'shop/other', existing: 1, figures: { ...figures, endpoints: 5, desired: 1 } });
    expect(filterSamples(await scrapeAfter([first, second]), totalsPattern)).toEqual({
      endpoint_slice_mirroring_controller_endpoints_desired: 155,
      endpoint_slice_mirroring_controller_num_endpoint_slices: 4,
      endpoint_slice_mirroring_controller_desired_endpoint_slices: 3,
    });
    const rest = { endpoint_slice_mirroring_controller_endpoints_desired: 5 };
    const disowned = { kind: 'disowned', controller: 'endpointslicemirroring', key: 'shop/db' } as const;
    for (const end of [unmirrored, disowned]) {
      expect(filterSamples(await scrapeAfter([first, second, end]), totalsPattern)).toMatchObject(rest);
    }
    const stale = plannedEvent({ plan: { ...emptyPlan, retry: true, reasons: [{ code: 'SlicesStale', message: '' }] } });
    expect(filterSamples(await scrapeAfter([first, stale]), totalsPattern)).toMatchObject({
      endpoint_slice_mirroring_controller_endpoints_desired: 150,
    });
  });

  test('count the changes and figures of plans that mirror Endpoints', async () => {
    const samples = await scrapeAfter([plannedEvent({ plan: { ...emptyPlan, create: [slice], update: [slice] }, figures }), unmirrored]);
    expect(filterSamples(samples, /mirroring_controller_(changes|.*per_sync_(sum|count))/)).toEqual({
      'endpoint_slice_mirroring_controller_changes{operation="create"}': 1,
      'endpoint_slice_mirroring_controller_changes{operation="update"}': 1,
      'endpoint_slice_mirroring_controller_changes{operation="delete"}': 0,
      endpoint_slice_mirroring_controller_endpoints_added_per_sync_sum: 3,
      endpoint_slice_mirroring_controller_endpoints_added_per_sync_count: 1,
      endpoint_slice_mirroring_controller_endpoints_updated_per_sync_sum: 2,
      endpoint_slice_mirroring_controller_endpoints_updated_per_sync_count: 1,
      endpoint_slice_mirroring_controller_endpoints_removed_per_sync_sum: 1,
      endpoint_slice_mirroring_controller_endpoints_removed_per_sync_count: 1,
      endpoint_slice_mirroring_controller_addresses_skipped_per_sync_sum: 4,
      endpoint_slice_mirroring_controller_addresses_skipped_per_sync_count: 1,
    });
  });

  test('report the duration of syncs, the queue and the number of workers', async () => {
    const events = [syncedEvent({ controller: 'endpointslicemirroring', milliseconds: 250 })];
    const samples = await scrapeAfter(events, { mirroringWorkers: 7 });
    expect(samples.get('endpoint_slice_mirroring_controller_endpoints_sync_duration_sum')).toBe(0.25);
    expect(samples.get('workqueue_work_duration_seconds_count{name="endpoint_slice_mirroring"}')).toBe(1);
    expect(samples.get('controller_runtime_max_concurrent_reconciles{controller="endpointslicemirroring"}')).toBe(7);
  });

  test('are absent if the controller does not run', async () => {
    expect(filterSamples(await scrapeAfter([], { controllers: ['endpointslices'] }), /mirroring/)).toEqual({});
  });
});
