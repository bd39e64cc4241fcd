import type { Registry } from 'prom-client';
import type { Happening, Tell } from '../../happening.ts';
import { createCounter, createHistogram } from './series.ts';

/** What client-go reports of its requests, under the names of component-base/metrics/prometheus/restclient (1.36). */
export function createRequestMetrics(registry: Registry, host: string): Tell {
  const total = createCounter({
    registry,
    name: 'rest_client_requests_total',
    help: 'How many requests there were, by status code, method and host; <error> where there was no answer.',
    labelNames: ['code', 'method', 'host'],
  });
  const name = 'rest_client_request_duration_seconds';
  const help = 'How long requests took, watches apart, in seconds.';
  const seconds = createHistogram({ registry, name, help, labelNames: ['verb', 'host'] }, buckets);
  return (happening) => {
    if (happening.kind !== 'request') return;
    const method = methods[happening.verb];
    total.inc([happening.code === 0 ? '<error>' : String(happening.code), method, host]);
    // When the first event of a watch comes says nothing of the server.
    if (happening.verb !== 'watch') seconds.observe([method, host], happening.milliseconds / 1000);
  };
}

const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

const methods: Readonly<Record<Extract<Happening, { kind: 'request' }>['verb'], string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deleteCollection: 'DELETE',
};
