import type { MirrorFigures } from 'kube-endpoints/internal';
import { Gauge, type Registry } from 'prom-client';
import type { Observer } from '../../host/index.ts';
import { createCounter, createHistogram } from './series.ts';

/** The counts of one Service, which are summed up at a scrape. */
interface MirrorCounts extends Pick<MirrorFigures, 'endpoints' | 'desired'> {
  readonly slices: number;
}

/**
 * The metrics of the EndpointSlice mirroring controller, under the names of pkg/controller/endpointslicemirroring/metrics (1.36). As
 * upstream, slices of Endpoints that are not mirrored are not counted.
 */
export function createMirrorMetrics(registry: Registry): Observer {
  const series = createSeries(registry);
  const services = new Map<string, MirrorCounts>();
  addTotals(registry, services);
  return (event) => {
    if (event.kind === 'planned' && event.controller === 'endpointslicemirroring') {
      const { key, plan, existing, figures } = event;
      if (figures) {
        for (const operation of operations) series.changes.inc([operation], plan[operation].length);
        for (const figure of ['added', 'updated', 'removed', 'skipped'] as const) series[figure].observe([], figures[figure]);
        const slices = existing + plan.create.length - plan.delete.length;
        services.set(key, { endpoints: figures.endpoints, desired: figures.desired, slices });
      } else if (!plan.retry) services.delete(key);
    } else if (event.kind === 'synced' && event.controller === 'endpointslicemirroring') {
      series.seconds.observe([], event.milliseconds / 1000);
    } else if (event.kind === 'disowned' && event.controller === 'endpointslicemirroring') {
      // The replica that owns the Service now counts it.
      services.delete(event.key);
    }
  };
}

const operations = ['create', 'update', 'delete'] as const;

const nameOf = (name: string): string => `endpoint_slice_mirroring_controller_${name}`;

function addTotals(registry: Registry, services: ReadonlyMap<string, MirrorCounts>): void {
  const addTotal = (name: string, help: string, field: keyof MirrorCounts): void => {
    new Gauge({
      name: nameOf(name),
      help,
      registers: [registry],
      collect() {
        let sum = 0;
        for (const counts of services.values()) sum += counts[field];
        this.set(sum);
      },
    });
  };
  addTotal('endpoints_desired', 'How many endpoints the mirrored slices should hold.', 'endpoints');
  addTotal('num_endpoint_slices', 'How many mirrored slices there are.', 'slices');
  addTotal('desired_endpoint_slices', 'How many mirrored slices would be enough.', 'desired');
}

function createSeries(registry: Registry) {
  const powersFrom = (first: number): number[] => Array.from({ length: 15 }, (_, power) => first * 2 ** power);
  const perSync = (name: string, help: string) => createHistogram({ registry, name: nameOf(`${name}_per_sync`), help }, powersFrom(2));
  const changes = createCounter({
    ...{ registry, name: nameOf('changes'), labelNames: ['operation'] },
    help: 'How many writes of mirrored slices were planned, by operation.',
  });
  for (const operation of operations) changes.inc([operation], 0);
  return {
    added: perSync('endpoints_added', 'How many endpoints a sync added to mirrored slices.'),
    updated: perSync('endpoints_updated', 'How many endpoints of mirrored slices a sync updated.'),
    removed: perSync('endpoints_removed', 'How many endpoints a sync removed from mirrored slices.'),
    skipped: perSync('addresses_skipped', 'How many addresses a sync did not mirror, because they are invalid or too many.'),
    seconds: createHistogram(
      { registry, name: nameOf('endpoints_sync_duration'), help: 'How long syncs of mirrored slices took, in seconds.' },
      powersFrom(0.001),
    ),
    changes,
  };
}
