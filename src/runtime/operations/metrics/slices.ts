import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Happening, Tell } from '../../happening.ts';

type Planned = Extract<Happening, { kind: 'planned'; controller: 'endpointslices' }>;

/** What is kept of a Service, so that the totals follow what becomes of it. */
interface Figures {
  readonly slices: number;
  readonly desired: number;
  readonly endpoints: number;
  readonly distribution: string | undefined;
}

/** What the EndpointSlice controller reports, under the names of k8s.io/endpointslice/metrics (1.36). */
export function createSliceMetrics(registry: Registry): Tell {
  const series = seriesIn(registry);
  const services = new Map<string, Figures>();
  const stale = new Set<string>();
  addTotals(registry, services);
  return (happening) => {
    if (happening.kind === 'planned' && happening.controller === 'endpointslices') {
      observePlan(series, happening);
      if (happening.plan.reasons.some(({ code }) => code === 'SlicesStale')) stale.add(happening.key);
      else keep(services, happening);
    } else if (happening.kind === 'synced' && happening.controller === 'endpointslices') {
      const failed = happening.outcome === 'retried' || happening.outcome === 'dropped';
      const wasStale = stale.delete(happening.key);
      series.syncs.inc({ result: wasStale ? 'stale' : failed ? 'error' : 'success' });
    } else if (happening.kind === 'leadership' && !happening.leads) {
      // Another replica goes on counting.
      services.clear();
    }
  };
}

function observePlan(series: Series, { plan, added, removed, topology = 'Disabled', trafficDistribution }: Planned): void {
  const changes = { create: plan.create.length, update: plan.update.length, delete: plan.delete.length };
  for (const [operation, count] of Object.entries(changes)) if (count > 0) series.changes.inc({ operation }, count);
  series.changed.observe(
    { topology, traffic_distribution: distributionOf(trafficDistribution) ?? '' },
    changes.create + changes.update + changes.delete,
  );
  if (added !== undefined) series.added.observe(added);
  if (removed !== undefined) series.removed.observe(removed);
}

function keep(services: Map<string, Figures>, { key, plan, there, desired, endpoints = 0, trafficDistribution }: Planned): void {
  const slices = there + plan.create.length - plan.delete.length;
  if (slices === 0 && endpoints === 0) services.delete(key);
  else services.set(key, { slices, desired, endpoints, distribution: distributionOf(trafficDistribution) });
}

/** The API server admits these alone; whatever else may come makes no series of its own. */
const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const distributionOf = (given: string | undefined): string | undefined =>
  given === undefined || distributions.includes(given) ? given : 'other';

function addTotals(registry: Registry, services: ReadonlyMap<string, Figures>): void {
  const total = (name: string, help: string, read: (figures: Figures) => number): void => {
    new Gauge({
      name: `endpoint_slice_controller_${name}`,
      help,
      registers: [registry],
      collect() {
        let sum = 0;
        for (const figures of services.values()) sum += read(figures);
        this.set(sum);
      },
    });
  };
  total('endpoints_desired', 'How many endpoints the slices are to hold.', ({ endpoints }) => endpoints);
  total('num_endpoint_slices', 'How many slices there are.', ({ slices }) => slices);
  total('desired_endpoint_slices', 'How many slices would do.', ({ desired }) => desired);
  new Gauge({
    name: 'endpoint_slice_controller_services_count_by_traffic_distribution',
    help: 'How many Services ask for a distribution of traffic.',
    labelNames: ['traffic_distribution'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { distribution } of services.values()) if (distribution !== undefined) this.inc({ traffic_distribution: distribution });
    },
  });
}

interface Series {
  readonly added: Histogram;
  readonly removed: Histogram;
  readonly changed: Histogram<'topology' | 'traffic_distribution'>;
  readonly changes: Counter<'operation'>;
  readonly syncs: Counter<'result'>;
}

function seriesIn(registry: Registry): Series {
  const common = (name: string, help: string) => ({ name: `endpoint_slice_controller_${name}`, help, registers: [registry] });
  /** 2, 4, … 32,768. */
  const buckets = Array.from({ length: 15 }, (_, power) => 2 ** (power + 1));
  const changes = new Counter({ ...common('changes', 'How many slices were to be written, by operation.'), labelNames: ['operation'] });
  const syncs = new Counter({ ...common('syncs', 'How many syncs there were, by how they ended.'), labelNames: ['result'] });
  for (const operation of ['create', 'update', 'delete']) changes.inc({ operation }, 0);
  for (const result of ['success', 'stale', 'error']) syncs.inc({ result }, 0);
  return {
    added: new Histogram({ ...common('endpoints_added_per_sync', 'How many endpoints a sync added.'), buckets }),
    removed: new Histogram({ ...common('endpoints_removed_per_sync', 'How many endpoints a sync removed.'), buckets }),
    changed: new Histogram({
      ...common('endpointslices_changed_per_sync', 'How many slices a sync changed.'),
      labelNames: ['topology', 'traffic_distribution'],
    }),
    changes,
    syncs,
  };
}
