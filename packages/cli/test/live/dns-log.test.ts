import type { DnsServerEvent } from '@kube-endpoints/dns-server';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { createDnsLog } from '../../src/live/dns-log.ts';

describe('a DNS log line', () => {
  test.each<[DnsServerEvent, readonly unknown[]]>([
    [
      { kind: 'answered', transport: 'udp', type: 'A', rcode: 'NOERROR', bytes: 60, truncated: false },
      ['debug', 'answered', { transport: 'udp', type: 'A', rcode: 'NOERROR', bytes: 60, truncated: false }],
    ],
    [
      { kind: 'forwarded', transport: 'tcp', type: 'MX', failed: true },
      ['debug', 'forwarded', { transport: 'tcp', type: 'MX', failed: true }],
    ],
    [{ kind: 'dropped', transport: 'udp', reason: 'short' }, ['debug', 'dropped', { transport: 'udp', reason: 'short' }]],
    [{ kind: 'connectionClosed', reason: 'idle' }, ['debug', 'closed a connection', { reason: 'idle' }]],
    [
      { kind: 'transferred', zone: 'a.', address: '10.0.0.1', records: 3 },
      ['info', 'transferred a zone', { zone: 'a.', address: '10.0.0.1', records: 3 }],
    ],
    [
      { kind: 'transferRefused', zone: 'a.', address: '10.0.0.1', transport: 'udp' },
      ['debug', 'refused to transfer a zone', { zone: 'a.', address: '10.0.0.1', transport: 'udp' }],
    ],
    [
      { kind: 'transferRefused', zone: 'a.', address: '10.0.0.1', transport: 'tcp' },
      ['warn', 'refused to transfer a zone', { zone: 'a.', address: '10.0.0.1', transport: 'tcp' }],
    ],
    [
      { kind: 'leftOut', zone: 'a.', address: '10.0.0.1', records: 2, error: new Error('long') },
      ['warn', 'omitted records from a zone transfer', { zone: 'a.', address: '10.0.0.1', records: 2, error: 'long' }],
    ],
    [{ kind: 'failed', what: 'answer', error: new Error('odd') }, ['error', 'could not answer a query', { error: 'odd' }]],
    [{ kind: 'failed', what: 'outside', error: 'late' }, ['debug', 'could not resolve a name outside of the cluster', { error: 'late' }]],
    [{ kind: 'failed', what: 'socket', error: new Error('x') }, ['error', 'network error', { error: 'x' }]],
  ])('reports the event %j', (event, line) => {
    const { observer, lines } = createTestLog();
    observer(event);
    expect(lines).toEqual([line]);
  });
});

function createTestLog() {
  const [lines, clock] = [[] as (readonly unknown[])[], createClock()];
  return { lines, clock, ...createDnsLog({ log: (...line) => void lines.push(line) }, clock) };
}

describe('log lines that clients can cause', () => {
  const failedEvent: DnsServerEvent = { kind: 'failed', what: 'answer', error: new Error('nobody') };
  const refusedEvent: DnsServerEvent = { kind: 'transferRefused', zone: 'a.', address: '10.0.0.1', transport: 'tcp' };
  const messages = (lines: readonly (readonly unknown[])[]) => lines.map(([, message]) => message);
  const flood = (observer: (event: DnsServerEvent) => void, event: DnsServerEvent, times: number): void => {
    for (let i = 0; i < times; i++) observer(event);
  };

  test('are limited per kind and interval, with a count of the dropped lines at the end of the interval', () => {
    const { observer, lines, clock } = createTestLog();
    flood(observer, failedEvent, 1000);
    flood(observer, refusedEvent, 11);
    expect(messages(lines)).toEqual([...Array(10).fill('could not answer a query'), ...Array(10).fill('refused to transfer a zone')]);
    clock.advance(9_999);
    expect(lines).toHaveLength(20);
    clock.advance(1);
    expect(lines.slice(20)).toEqual([
      ['error', 'could not answer a query: further lines were not logged', { leftOut: 990 }],
      ['warn', 'refused to transfer a zone: further lines were not logged', { leftOut: 1 }],
    ]);
    observer(failedEvent);
    expect(lines.at(-1)).toEqual(['error', 'could not answer a query', { error: 'nobody' }]);
  });

  test('are counted on stop, which also cancels the timer', () => {
    const { observer, lines, clock, stop } = createTestLog();
    flood(observer, failedEvent, 12);
    stop();
    expect(lines.at(-1)).toEqual(['error', 'could not answer a query: further lines were not logged', { leftOut: 2 }]);
    expect(clock.scheduled).toBe(0);
  });

  test('are not limited at level debug', () => {
    const { observer, lines } = createTestLog();
    flood(observer, { kind: 'dropped', transport: 'udp', reason: 'short' }, 50);
    expect(lines).toHaveLength(50);
  });
});
