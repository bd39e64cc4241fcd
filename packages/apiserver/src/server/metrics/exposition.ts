import type { ServerState } from '../state.ts';
import { bucketBounds, type RequestSeries } from './requests.ts';

export interface StoredObjects {
  readonly group: string;
  readonly resource: string;
  readonly count: number;
}

interface ExpositionOptions {
  readonly state: ServerState;
  readonly storedObjects: () => Iterable<StoredObjects>;
  /** The concurrent requests that each priority level may have. */
  readonly nominalSeats: () => ReadonlyMap<string, number>;
}

/** The content of "/metrics", computed at each scrape. */
interface Exposition {
  readonly contentType: string;
  scrape(): string;
}

export function createExposition(options: ExpositionOptions): Exposition {
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
    scrape: () =>
      `${[...createRequestFamilies(options), ...createFlowFamilies(options), ...createObjectFamilies(options), ...createProcessFamilies()]
        .map(formatFamily)
        .join('\n\n')}\n`,
  };
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  /** Appended to the name of the family: "_bucket". */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const formatFamily = ({ name, type, help, samples }: Family): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${value}`),
  ].join('\n');

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeValue = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

function createRequestFamilies({ state }: ExpositionOptions): Family[] {
  const seriesList = [...state.requests.all()];
  return [
    {
      name: 'apiserver_request_total',
      type: 'counter',
      help: 'Requests that were answered, by verb, resource and code.',
      samples: seriesList.flatMap(({ labels, codes }) =>
        [...codes].map(([code, value]) => ({ labels: { ...labels, code: `${code}` }, value })),
      ),
    },
    {
      name: 'apiserver_request_duration_seconds',
      type: 'histogram',
      help: 'How long requests took from their headers to the end of their answer, in seconds.',
      samples: seriesList.flatMap(createDurationSamples),
    },
    {
      name: 'apiserver_current_inflight_requests',
      type: 'gauge',
      help: 'Requests that are being answered, without watches.',
      samples: Object.entries(state.inFlight).map(([request_kind, value]) => ({ labels: { request_kind }, value })),
    },
    {
      name: 'apiserver_longrunning_requests',
      type: 'gauge',
      help: 'Watches that are open.',
      samples: seriesList
        .filter(({ labels }) => labels.verb === 'WATCH')
        .map(({ labels, openCount }) => ({ labels: withoutDryRun(labels), value: openCount })),
    },
  ];
}

/** Prometheus buckets are cumulative. */
function createDurationSamples({ labels, buckets, totalSeconds, count }: RequestSeries): Sample[] {
  let sum = 0;
  const cumulativeSamples = bucketBounds.map((bound, index): Sample => {
    sum += buckets[index] ?? 0;
    return { suffix: '_bucket', labels: { ...labels, le: `${bound}` }, value: sum };
  });
  return [
    ...cumulativeSamples,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: totalSeconds },
    { suffix: '_count', labels, value: count },
  ];
}

function withoutDryRun({ dry_run: _, ...labels }: RequestSeries['labels']): Omit<RequestSeries['labels'], 'dry_run'> {
  return labels;
}

function createFlowFamilies({ nominalSeats }: ExpositionOptions): Family[] {
  return [
    {
      name: 'apiserver_flowcontrol_nominal_limit_seats',
      type: 'gauge',
      help: 'Concurrent requests that a priority level may have by its configuration; requests are not limited by it.',
      samples: [...nominalSeats()].map(([priority_level, value]) => ({ labels: { priority_level }, value })),
    },
  ];
}

function createObjectFamilies({ storedObjects }: ExpositionOptions): Family[] {
  const objects = [...storedObjects()];
  return [
    {
      name: 'apiserver_resource_objects',
      type: 'gauge',
      help: 'Objects that are stored.',
      samples: objects.map(({ group, resource, count }) => ({ labels: { group, resource }, value: count })),
    },
    {
      name: 'apiserver_storage_objects',
      type: 'gauge',
      help: 'Objects that are stored, under the older name of this metric.',
      samples: objects.map(({ group, resource, count }) => ({
        labels: { resource: group === '' ? resource : `${resource}.${group}` },
        value: count,
      })),
    },
  ];
}

/** Standard Prometheus process metrics, measured by Node.js. */
function createProcessFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  const createGauge = (name: string, help: string, value: number): Family => ({ name, type: 'gauge', help, samples: [{ value }] });
  return [
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'User and system CPU time spent, in seconds.',
      samples: [{ value: (user + system) / 1e6 }],
    },
    createGauge('process_resident_memory_bytes', 'Resident memory, in bytes.', process.memoryUsage.rss()),
    createGauge('process_start_time_seconds', 'When the process was started, in seconds since the epoch.', performance.timeOrigin / 1000),
    createGauge('nodejs_heap_size_used_bytes', 'Heap memory of live and dead objects, in bytes.', process.memoryUsage().heapUsed),
    createGauge(
      'nodejs_eventloop_utilization',
      'Fraction of the time since its start that the event loop was busy.',
      performance.eventLoopUtilization().utilization,
    ),
  ];
}
