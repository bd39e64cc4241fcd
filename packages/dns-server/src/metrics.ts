import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { isNamedType } from './packet/types.ts';
import type { DnsServerEvent, DnsServerObserver } from './server-event.ts';

export interface DnsMetricsOptions {
  /** Whether to include process metrics: CPU, memory, event loop, garbage collection. True by default. */
  readonly process?: boolean;
}

/**
 * Metrics of the DNS server. No label contains a queried name or an address, so clients cannot create series;
 * unnamed record types are counted as "other".
 */
export interface DnsMetrics {
  /** Pass this to the server. */
  readonly observer: DnsServerObserver;
  readonly contentType: string;
  /** All metrics in the Prometheus text format. */
  scrape(): Promise<string>;
}

export function createDnsMetrics({ process = true }: DnsMetricsOptions = {}): DnsMetrics {
  const registry = new Registry();
  const handlers = createEventHandlers(registry);
  if (process) collectDefaultMetrics({ register: registry });
  return {
    observer: (event) => (handlers[event.kind] as (event: DnsServerEvent) => void)(event),
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}

type EventHandlers = { readonly [Kind in DnsServerEvent['kind']]: (event: Extract<DnsServerEvent, { kind: Kind }>) => void };

function createEventHandlers(registry: Registry): EventHandlers {
  const createCounter = createCounterFactory(registry);
  const countResponse = createCounter('responses_total', 'Queries answered by this server, by transport, record type and response code.', [
    'transport',
    'type',
    'rcode',
  ]);
  const countBytes = createCounter('response_bytes_total', 'Total size of these responses in bytes.', ['transport']);
  const countTruncated = createCounter('truncated_responses_total', 'Responses truncated to the payload size of the client.', [
    'transport',
  ]);
  const countForwarded = createCounter('forwarded_total', 'Queries forwarded to other servers, by outcome.', ['transport', 'outcome']);
  const countDropped = createCounter('dropped_total', 'Packets dropped or refused because of limits or errors, by reason.', [
    'transport',
    'reason',
  ]);
  const countTransfer = createCounter('transfers_total', 'Zone transfers, by outcome.', ['outcome']);
  const countLeftOutRecords = createCounter(
    'transfer_records_left_out_total',
    'Records omitted from zone transfers because they do not fit in a message.',
    [],
  );
  const countClosed = createCounter('connections_closed_total', 'Connections closed by the server, by reason.', ['reason']);
  const countFailure = createCounter('failures_total', 'Unexpected failures, by component.', ['what']);
  // Exports these series with 0 from the start.
  countLeftOutRecords([], 0);
  for (const outcome of ['sent', 'refused']) countTransfer([outcome], 0);
  for (const failureKind of ['answer', 'outside', 'socket']) countFailure([failureKind], 0);
  return {
    answered({ transport, type, rcode, bytes: size, truncated: isTruncated }) {
      countResponse([transport, isNamedType(type) || type === '-' ? type : 'other', rcode]);
      countBytes([transport], size);
      if (isTruncated) countTruncated([transport]);
    },
    forwarded: ({ transport, failed }) => countForwarded([transport, failed ? 'failed' : 'answered']),
    dropped: ({ transport, reason }) => countDropped([transport, reason]),
    transferred: () => countTransfer(['sent']),
    transferRefused: () => countTransfer(['refused']),
    leftOut: ({ records }) => countLeftOutRecords([], records),
    connectionClosed: ({ reason }) => countClosed([reason]),
    failed: ({ what }) => countFailure([what]),
  };
}

type Increment = (labels: readonly string[], amount?: number) => void;

/** Creates counters that count in plain numbers between two scrapes, because an answer takes only a few microseconds. */
const createCounterFactory =
  (registry: Registry) =>
  (name: string, help: string, labelNames: readonly string[]): Increment => {
    const series = new Map<string, { readonly labels: readonly string[]; value: number }>();
    new Counter({
      name: `kube_endpoints_dns_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, value } of series.values())
          this.inc(Object.fromEntries(labelNames.map((each, i) => [each, labels[i]])), value);
      },
    });
    return (labels, amount = 1) => {
      const key = labels.join(' ');
      const existing = series.get(key);
      if (existing) existing.value += amount;
      else series.set(key, { labels, value: amount });
    };
  };
