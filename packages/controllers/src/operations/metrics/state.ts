import { Counter, Gauge, type Registry } from 'prom-client';
import type { InformerState } from '../../cache/cache.ts';
import type { EventOf, Observer } from '../../host/index.ts';
import { createCounter, createHistogram } from './series.ts';

export interface StateMetricsOptions {
  /** Name of the leader election Lease. */
  readonly lease: string;
  /** Returns the current number of cached objects by resource. Without it, the numbers are those of the last informer event. */
  readonly objects?: (() => Readonly<Record<string, number>>) | undefined;
}

/** Creates the metrics of this replica: its caches, leadership and shard members. */
export function createStateMetrics(registry: Registry, options: StateMetricsOptions): Observer {
  const informers = createInformerMetrics(registry, options);
  const leads = new Gauge({
    name: 'leader_election_master_status',
    help: '1 if this replica is the leader, 0 if another replica is.',
    labelNames: ['name'],
    registers: [registry],
  });
  const members = new Gauge({
    name: 'kube_endpoints_shard_members',
    help: 'How many replicas share the Services; 0 if this replica owns no shard.',
    registers: [registry],
  });
  const events = new Counter({
    name: 'kube_endpoints_events_total',
    help: 'Outcomes of Events, including those of retries, by type and outcome.',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  return (event) => {
    informers(event);
    if (event.kind === 'leadership') leads.set({ name: options.lease }, event.leads ? 1 : 0);
    if (event.kind === 'event') events.inc({ type: event.event.type, outcome: event.outcome });
    if (event.kind === 'shards') members.set(event.members.length);
  };
}

/** Creates the metrics of the caches: size, state and failures. */
export function createInformerMetrics(registry: Registry, { objects }: Pick<StateMetricsOptions, 'objects'>): Observer {
  const lastCounts = new Map<string, number>();
  new Gauge({
    name: 'kube_endpoints_cache_objects',
    help: 'How many objects a cache holds.',
    labelNames: ['resource'],
    registers: [registry],
    collect() {
      for (const [resource, count] of [...lastCounts, ...Object.entries(objects?.() ?? {})]) this.set({ resource }, count);
    },
  });
  const state = new Gauge({
    name: 'kube_endpoints_informer_state',
    help: '1 for the state that an informer is in, 0 for the others.',
    labelNames: ['resource', 'state'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'kube_endpoints_informer_failures_total',
    help: 'How often a list or watch failed and was retried.',
    labelNames: ['resource'],
    registers: [registry],
  });
  return (event) => {
    if (event.kind !== 'informer') return;
    const { resource } = event;
    lastCounts.set(resource, event.objects);
    for (const each of states) state.set({ resource, state: each }, each === event.state ? 1 : 0);
    failures.inc({ resource }, event.state === 'waiting' ? 1 : 0);
  };
}

const states: readonly InformerState[] = ['idle', 'listing', 'watching', 'waiting', 'stopped'];

/** Creates the request metrics of client-go, under the names of component-base/metrics/prometheus/restclient (1.36). */
export function createRequestMetrics(registry: Registry, host: string): Observer {
  const total = createCounter({
    registry,
    name: 'rest_client_requests_total',
    help: 'How many requests there were, by status code, method and host; the code is <error> if there was no answer.',
    labelNames: ['code', 'method', 'host'],
  });
  const name = 'rest_client_request_duration_seconds';
  const help = 'How long requests took, without watches, in seconds.';
  const seconds = createHistogram({ registry, name, help, labelNames: ['verb', 'host'] }, buckets);
  const throttledSeconds = createHistogram(
    {
      registry,
      name: 'rest_client_rate_limiter_duration_seconds',
      help: 'How long requests waited for the rate limiter of this client, in seconds.',
      labelNames: ['verb', 'host'],
    },
    buckets,
  );
  return (event) => {
    if (event.kind === 'throttled') throttledSeconds.observe([methods[event.verb], host], event.milliseconds / 1000);
    if (event.kind !== 'request') return;
    const method = methods[event.verb];
    total.inc([event.code === 0 ? '<error>' : String(event.code), method, host]);
    // The time until the first event of a watch does not measure the server.
    if (event.verb !== 'watch') seconds.observe([method, host], event.milliseconds / 1000);
  };
}

const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

const methods: Readonly<Record<EventOf<'request'>['verb'], string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deleteCollection: 'DELETE',
};
