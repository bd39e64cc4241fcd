import type { ServerState } from '../state.ts';
import { bounds, type RequestLabel, type RequestSeries } from './requests.ts';

export interface StoredObjects {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  readonly count: number;
}

export interface ExpositionOptions {
  readonly state: ServerState;
  readonly storedObjects: () => Iterable<StoredObjects>;
}

/** What "/metrics" gives. Nothing is prepared before it is asked for, the library included. */
export interface Exposition {
  readonly contentType: string;
  scrape(): Promise<string>;
}

export function createExposition(options: ExpositionOptions): Exposition {
  let registry: Promise<Registry> | undefined;
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
    async scrape() {
      registry ??= import('prom-client').then((client) => registryOf(client, options));
      return (await registry).metrics();
    },
  };
}

type Client = typeof import('prom-client');
type Registry = import('prom-client').Registry;

function registryOf(client: Client, { state, storedObjects }: ExpositionOptions): Registry {
  const registry = new client.Registry();
  const registers = [registry];
  const gauge = <Label extends string>(spec: Spec<Label>, values: () => Iterable<Value<Label>>): void => {
    new client.Gauge({
      ...spec,
      registers,
      collect() {
        this.reset();
        for (const { labels, value } of values()) this.set(labels, value);
      },
    });
  };
  new client.Counter({
    ...requestTotal,
    registers,
    collect() {
      this.reset();
      for (const { labels, codes } of state.requests.all()) for (const [code, count] of codes) this.inc({ ...labels, code }, count);
    },
  });
  const duration = new client.Histogram({ ...requestDuration, buckets: [...bounds], registers });
  // The library fills its buckets one observation at a time; these are filled already.
  Object.assign(duration, {
    getForPromString: async () => ({
      ...requestDuration,
      type: 'histogram',
      aggregator: 'sum',
      values: [...state.requests.all()].flatMap(durationsOf),
    }),
  });
  gauge(inFlight, () => Object.entries(state.inFlight).map(([request_kind, value]) => ({ labels: { request_kind }, value })));
  gauge(longRunning, () =>
    [...state.requests.all()]
      .filter(({ labels }) => labels.verb === 'WATCH')
      .map(({ labels, open }) => ({ labels: apart(labels), value: open })),
  );
  gauge(resourceObjects, () => [...storedObjects()].map(({ group, resource, count }) => ({ labels: { group, resource }, value: count })));
  gauge(storageObjects, () =>
    [...storedObjects()].map(({ group, resource, count }) => ({
      labels: { resource: group === '' ? resource : `${resource}.${group}` },
      value: count,
    })),
  );
  addProcess(client, registry, gauge);
  return registry;
}

/** Those that every program has, of what Node knows of itself. */
function addProcess(client: Client, registry: Registry, gauge: (spec: Spec<never>, values: () => Iterable<Value<never>>) => void): void {
  new client.Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent, in seconds.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const plain = (name: string, help: string, read: () => number): void => {
    gauge({ name, help, labelNames: [] }, () => [{ labels: {}, value: read() }]);
  };
  plain('process_resident_memory_bytes', 'Resident memory, in bytes.', () => process.memoryUsage.rss());
  plain('process_start_time_seconds', 'When the process was started, in seconds since the epoch.', () => performance.timeOrigin / 1000);
  plain(
    'nodejs_heap_size_used_bytes',
    'Memory that live and dead objects of the heap take, in bytes.',
    () => process.memoryUsage().heapUsed,
  );
  plain('nodejs_eventloop_utilization', 'Part of its time that the event loop was busy, since it started.', () => {
    return performance.eventLoopUtilization().utilization;
  });
}

/** The buckets of one kind of request, each holding all that the ones before hold. */
function durationsOf({ labels, buckets, seconds, count }: RequestSeries): object[] {
  const { name } = requestDuration;
  let sum = 0;
  const cumulative = bounds.map((le, place) => {
    sum += buckets[place] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: sum };
  });
  return [
    ...cumulative,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

function apart({ dry_run: _, ...labels }: RequestSeries['labels']): Omit<RequestSeries['labels'], 'dry_run'> {
  return labels;
}

interface Spec<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
}

interface Value<Label extends string> {
  readonly labels: Partial<Record<Label, string>>;
  readonly value: number;
}

const requestLabels: readonly RequestLabel[] = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];

const requestTotal: Spec<RequestLabel | 'code'> = {
  name: 'apiserver_request_total',
  help: 'Requests that were answered, by verb, resource and code.',
  labelNames: [...requestLabels, 'code'],
};

const requestDuration: Spec<RequestLabel> = {
  name: 'apiserver_request_duration_seconds',
  help: 'How long requests took from their headers to the end of their answer, in seconds.',
  labelNames: requestLabels,
};

const inFlight: Spec<'request_kind'> = {
  name: 'apiserver_current_inflight_requests',
  help: 'Requests that are being answered, watches apart.',
  labelNames: ['request_kind'],
};

const longRunning: Spec<Exclude<RequestLabel, 'dry_run'>> = {
  name: 'apiserver_longrunning_requests',
  help: 'Watches that are open.',
  labelNames: requestLabels.filter((label): label is Exclude<RequestLabel, 'dry_run'> => label !== 'dry_run'),
};

const resourceObjects: Spec<'group' | 'resource'> = {
  name: 'apiserver_resource_objects',
  help: 'Objects that are stored.',
  labelNames: ['group', 'resource'],
};

const storageObjects: Spec<'resource'> = {
  name: 'apiserver_storage_objects',
  help: 'Objects that are stored, under the older name of this metric.',
  labelNames: ['resource'],
};
