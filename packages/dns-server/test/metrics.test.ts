import { describe, expect, test } from 'vitest';
import { filterSamples, samplesOf } from '../../controllers/test/operations/metrics/scrape.ts';
import { createDnsMetrics } from '../src/metrics.ts';
import { encodeQuery, queryUdp, serve } from './support.ts';

const createMetrics = () => createDnsMetrics({ process: false });
const answeredEvent = { kind: 'answered', transport: 'udp', type: 'A', rcode: 'NOERROR', bytes: 60, truncated: false } as const;

/** The samples without their common name prefix. */
async function scrapeSamples({ scrape }: Pick<ReturnType<typeof createMetrics>, 'scrape'>): Promise<object> {
  return Object.fromEntries([...samplesOf(await scrape())].map(([name, value]) => [name.replace('kube_endpoints_dns_', ''), value]));
}

describe('createDnsMetrics', () => {
  test('starts with the counters that can stay at 0', async () => {
    expect(await scrapeSamples(createMetrics())).toEqual({
      'transfers_total{outcome="sent"}': 0,
      'transfers_total{outcome="refused"}': 0,
      transfer_records_left_out_total: 0,
      'failures_total{what="answer"}': 0,
      'failures_total{what="outside"}': 0,
      'failures_total{what="socket"}': 0,
    });
  });

  test('counts every event of a server', async () => {
    const metrics = createMetrics();
    const zone = { zone: 'cluster.local.', address: '10.0.0.9' } as const;
    const error = new Error('no');
    metrics.observer(answeredEvent);
    metrics.observer({ ...answeredEvent, truncated: true, bytes: 1000 });
    metrics.observer({ ...answeredEvent, transport: 'tcp', type: 'SRV', rcode: 'NXDOMAIN' });
    metrics.observer({ kind: 'forwarded', transport: 'udp', type: 'A', failed: false });
    metrics.observer({ kind: 'forwarded', transport: 'udp', type: 'A', failed: true });
    metrics.observer({ kind: 'dropped', transport: 'udp', reason: 'crowded' });
    metrics.observer({ kind: 'transferred', ...zone, records: 12 });
    metrics.observer({ kind: 'leftOut', ...zone, records: 3, error });
    metrics.observer({ kind: 'transferRefused', ...zone, transport: 'udp' });
    metrics.observer({ kind: 'connectionClosed', reason: 'idle' });
    metrics.observer({ kind: 'failed', what: 'socket', error });
    expect(await scrapeSamples(metrics)).toEqual({
      'responses_total{transport="udp",type="A",rcode="NOERROR"}': 2,
      'responses_total{transport="tcp",type="SRV",rcode="NXDOMAIN"}': 1,
      'response_bytes_total{transport="udp"}': 1060,
      'response_bytes_total{transport="tcp"}': 60,
      'truncated_responses_total{transport="udp"}': 1,
      'forwarded_total{transport="udp",outcome="answered"}': 1,
      'forwarded_total{transport="udp",outcome="failed"}': 1,
      'dropped_total{transport="udp",reason="crowded"}': 1,
      'transfers_total{outcome="sent"}': 1,
      'transfers_total{outcome="refused"}': 1,
      transfer_records_left_out_total: 3,
      'connections_closed_total{reason="idle"}': 1,
      'failures_total{what="answer"}': 0,
      'failures_total{what="outside"}': 0,
      'failures_total{what="socket"}': 1,
    });
  });

  test('limits the number of query types, so that clients cannot add series', async () => {
    const metrics = createMetrics();
    for (let code = 0; code < 5000; code++) metrics.observer({ ...answeredEvent, type: `TYPE${300 + code}` });
    metrics.observer({ ...answeredEvent, type: '-', rcode: 'FORMERR' });
    expect(filterSamples(samplesOf(await metrics.scrape()), /responses_total/)).toEqual({
      'kube_endpoints_dns_responses_total{transport="udp",type="other",rcode="NOERROR"}': 5000,
      'kube_endpoints_dns_responses_total{transport="udp",type="-",rcode="FORMERR"}': 1,
    });
  });

  test('returns the same values on each scrape, and continues to count', async () => {
    const metrics = createMetrics();
    metrics.observer(answeredEvent);
    const firstScrape = await metrics.scrape();
    expect(await metrics.scrape()).toBe(firstScrape);
    metrics.observer(answeredEvent);
    expect(await metrics.scrape()).toBe(firstScrape.replace('rcode="NOERROR"} 1', 'rcode="NOERROR"} 2').replace('"udp"} 60', '"udp"} 120'));
  });

  test('includes process metrics unless disabled', async () => {
    expect([
      /^process_cpu_seconds_total /m.test(await createDnsMetrics().scrape()),
      /process_/.test(await createMetrics().scrape()),
    ]).toEqual([true, false]);
  });

  test('counts the answers of a server', async () => {
    const metrics = createMetrics();
    const { serverAddress } = await serve({ onEvent: metrics.observer });
    await queryUdp(serverAddress, encodeQuery('A'));
    await queryUdp(serverAddress, encodeQuery('A', { name: 'nothing.cluster.local' }));
    expect(filterSamples(samplesOf(await metrics.scrape()), /responses_total/)).toEqual({
      'kube_endpoints_dns_responses_total{transport="udp",type="A",rcode="NOERROR"}': 1,
      'kube_endpoints_dns_responses_total{transport="udp",type="A",rcode="NXDOMAIN"}': 1,
    });
  });
});
