import { Gauge, type Registry } from 'prom-client';
import type { Observer, RuntimeEvent } from '../../host/index.ts';
import { createCounter, createHistogram } from './series.ts';

type Planned = Extract<RuntimeEvent, { kind: 'planned'; controller: 'endpointslices' }>;

/** The counts of one Service, which are summed up at a scrape. */
interface ServiceCounts {
  readonly slices: number;
  readonly desiredSlices: number;
  readonly endpoints: number;
  readonly distribution: string | undefined;
}

/** The metrics of the EndpointSlice controller, under the names of k8s.io/endpointslice/metrics (1.36). */
export function createSliceMetrics(registry: Registry): Observer {
  const series = createSeries(registry);
  const services = new Map<string, ServiceCounts>();
  const staleKeys = new Set<string>();
  addTotals(registry, services);
  return (event) => {
    if (event.kind === 'planned' && event.controller === 'endpointslices') {
      observePlan(series, event);
      if (event.plan.reasons.some(({ code }) => code === 'SlicesStale')) staleKeys.add(event.key);
      else recordCounts(services, event);
    } else if (event.kind === 'synced' && event.controller === 'endpointslices') {
      const failed = event.outcome === 'retried' || event.outcome === 'dropped';
      const wasStale = staleKeys.delete(event.key);
      series.syncs.inc([wasStale ? 'stale' : failed ? 'error' : 'success']);
    } else if (event.kind === 'disowned' && event.controller === 'endpointslices') {
      // The replica that owns the Service now counts it.
      services.delete(event.key);
    }
  };
}

function observePlan(series: Series, { plan, added, removed, topology = 'Disabled', trafficDistribution }: Planned): void {
  const changes = plan.create.length + plan.update.length + plan.delete.length;
  for (const operation of operations) if (plan[operation].length > 0) series.changes.inc([operation], plan[operation].length);
  series.slicesPerSync.observe([topology, distributionOf(trafficDistribution) ?? ''], changes);
  if (added !== undefined) series.endpointsAdded.observe([], added);
  if (removed !== undefined) series.endpointsRemoved.observe([], removed);
}

const operations = ['create', 'update', 'delete'] as const;

function recordCounts(
  services: Map<string, ServiceCounts>,
  { key, plan, existing, desired, endpoints = 0, trafficDistribution }: Planned,
): void {
  const slices = existing + plan.create.length - plan.delete.length;
  if (slices === 0 && endpoints === 0) services.delete(key);
  else services.set(key, { slices, desiredSlices: desired, endpoints, distribution: distributionOf(trafficDistribution) });
}

/** The only values that the API server admits. Any other value is counted as `other`, so that it creates no series. */
const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const distributionOf = (distribution: string | undefined): string | undefined =>
  distribution === undefined || distributions.includes(distribution) ? distribution : 'other';

function addTotals(registry: Registry, services: ReadonlyMap<string, ServiceCounts>): void {
  const addTotal = (name: string, help: string, read: (counts: ServiceCounts) => number): void => {
    new Gauge({
      name: `endpoint_slice_controller_${name}`,
      help,
      registers: [registry],
      collect() {
        let sum = 0;
        for (const counts of services.values()) sum += read(counts);
        this.set(sum);
      },
    });
  };
  addTotal('endpoints_desired', 'How many endpoints the slices should hold.', ({ endpoints }) => endpoints);
  addTotal('num_endpoint_slices', 'How many slices there are.', ({ slices }) => slices);
  addTotal('desired_endpoint_slices', 'How many slices would be enough.', ({ desiredSlices }) => desiredSlices);
  new Gauge({
    name: 'endpoint_slice_controller_services_count_by_traffic_distribution',
    help: 'How many Services set trafficDistribution, by its value.',
    labelNames: ['traffic_distribution'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { distribution } of services.values()) if (distribution !== undefined) this.inc({ traffic_distribution: distribution });
    },
  });
}

type Series = ReturnType<typeof createSeries>;

function createSeries(registry: Registry) {
  const family = (name: string, help: string) => ({ registry, name: `endpoint_slice_controller_${name}`, help });
  /** 2, 4, … 32,768. */
  const powers = Array.from({ length: 15 }, (_, power) => 2 ** (power + 1));
  const slicesPerSyncFamily = {
    ...family('endpointslices_changed_per_sync', 'How many slices a sync changed.'),
    labelNames: ['topology', 'traffic_distribution'],
  };
  const changes = createCounter({ ...family('changes', 'How many slice writes were planned, by operation.'), labelNames: ['operation'] });
  const syncs = createCounter({ ...family('syncs', 'How many syncs there were, by how they ended.'), labelNames: ['result'] });
  for (const operation of operations) changes.inc([operation], 0);
  for (const result of ['success', 'stale', 'error']) syncs.inc([result], 0);
  return {
    endpointsAdded: createHistogram(family('endpoints_added_per_sync', 'How many endpoints a sync added.'), powers),
    endpointsRemoved: createHistogram(family('endpoints_removed_per_sync', 'How many endpoints a sync removed.'), powers),
    slicesPerSync: createHistogram(slicesPerSyncFamily, [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
    changes,
    syncs,
  };
}
