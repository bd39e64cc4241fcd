import { describe, expect, test } from 'vitest';
import { type DnsServerOptions, readDnsOptions } from '../src/options.ts';
import { createEncoder } from '../src/packet/encode.ts';
import { type Query, readQuery } from '../src/packet/query.ts';
import type { DnsServerEvent, Sender } from '../src/server-event.ts';
import { createTransfers } from '../src/transfers.ts';
import { a, answerFrom, queryOf, read, soa, web } from './support.ts';

const records = [soa(7), ...Array.from({ length: 2000 }, (_, i) => a(`s${i}.shop.svc.cluster.local.`, '10.0.0.1')), soa(7)];
const friend: Sender = { transport: 'tcp', address: '::ffff:10.0.0.9' };

function setUp(options: Partial<DnsServerOptions> = {}) {
  const events: DnsServerEvent[] = [];
  const zone = { zones: ['cluster.local.'], transfer: () => records, transferTo: ['10.0.0.0/24'] };
  const settings = readDnsOptions({ answer: answerFrom, ...zone, onEvent: (event) => void events.push(event), ...options });
  return { events, transfers: createTransfers(settings, createEncoder()) };
}

function query(type = 'AXFR', name = 'Cluster.local', serial?: number): Query {
  const authority = { name, type: 'SOA', data: { mname: 'a', rname: 'b', serial } } as const;
  const received = readQuery(queryOf(type, { name, ...(serial !== undefined && { authorities: [authority] }) }));
  if (received.kind !== 'query') throw new Error('no query');
  return received.query;
}

/** The first and last record type, and the number of records. */
const summary = (messages: Iterable<Uint8Array> | undefined) => {
  const answers = [...(messages ?? [])].flatMap((message) => read(message).answers);
  return { first: answers[0]?.type, last: answers.at(-1)?.type, count: answers.length };
};

describe('a zone is transferred', () => {
  test.each([
    ['AXFR', query()],
    ['IXFR', query('IXFR')],
    ['IXFR from an older serial', query('IXFR', 'cluster.local', 6)],
  ])('in full, with the SOA first and last: %s', (_, asked) => {
    const { transfers, events } = setUp();
    const messages = [...(transfers.start(asked, friend) ?? [])];
    expect(messages.length).toBeGreaterThan(1);
    expect(summary(messages)).toEqual({ first: 'SOA', last: 'SOA', count: 2002 });
    expect(events).toEqual([{ kind: 'transferred', zone: 'cluster.local.', address: '10.0.0.9', records: 2002 }]);
  });

  test('as its SOA alone if the client has the current serial', () => {
    expect(summary(setUp().transfers.start(query('IXFR', 'cluster.local', 7), friend))).toEqual({ first: 'SOA', last: 'SOA', count: 1 });
    expect(summary(setUp().transfers.start(query('AXFR', 'cluster.local', 7), friend)).count).toBe(2002);
  });
});

describe('records that fit in no message', () => {
  const odd = [a(`_${'p'.repeat(63)}._tcp.web.shop.svc.cluster.local.`, '10.0.0.1'), a(web, 'nowhere')];
  const far = { name: web, ttl: 5, type: 'CNAME', target: `${'x'.repeat(64)}.example.com.` } as const;
  const long = { name: web, ttl: 5, type: 'TXT', texts: ['x'.repeat(70_000)] } as const;

  test('are left out at any position, and reported', () => {
    const all = [soa(7), ...odd, long, ...records.slice(1, 1000), far, ...records.slice(1000, -1), long, far, soa(7)];
    const { transfers, events } = setUp({ transfer: () => all });
    const messages = [...(transfers.start(query(), friend) ?? [])];
    const answers = messages.flatMap((message) => read(message).answers);
    expect(answers.map(({ name, type }) => `${name}. ${type}`)).toEqual(records.map(({ name, type }) => `${name} ${type}`));
    expect(events.at(-1)).toMatchObject({ kind: 'leftOut', zone: 'cluster.local.', address: '10.0.0.9', records: 6 });
    expect(events.at(-1)).toMatchObject({
      error: { message: expect.stringContaining('is not a valid DNS name, or too long for a packet') },
    });
  });

  test('produce no message if there are no other records', () => {
    expect([...(setUp({ transfer: () => odd }).transfers.start(query(), friend) ?? [])]).toEqual([]);
  });

  test('end the transfer if the SOA is one of them, and release its serverAddress', () => {
    const broken = { ...soa(7), name: `${'x'.repeat(64)}.` };
    const { transfers } = setUp({ transfer: () => [broken], limits: { transfers: 1 } });
    for (let i = 0; i < 2; i++) expect(() => [...(transfers.start(query(), friend) ?? [])]).toThrow(RangeError);
  });
});

describe('a zone is not transferred', () => {
  test.each<[string, Partial<DnsServerOptions>, Query, Sender]>([
    ['over UDP', {}, query(), { ...friend, transport: 'udp' }],
    ['to addresses that are not permitted', {}, query(), { transport: 'tcp', address: '10.0.1.9' }],
    ['to any address if transferTo is empty', { transferTo: [] }, query(), friend],
    ['if the name is below the origin of the zone', {}, query('AXFR', 'shop.cluster.local'), friend],
    ['before it is complete', { ready: () => false }, query(), friend],
  ])('%s', (_, options, query, sender) => {
    const { transfers, events } = setUp(options);
    expect(transfers.start(query, sender)).toBeUndefined();
    expect(events).toMatchObject([{ kind: 'transferRefused', transport: sender.transport }]);
  });

  test('beyond the limit of concurrent transfers; a finished or abandoned transfer makes room', () => {
    const { transfers } = setUp({ limits: { transfers: 1 } });
    const running = transfers.start(query(), friend)?.[Symbol.iterator]();
    running?.next();
    expect(transfers.start(query(), friend)).toBeUndefined();
    running?.return?.();
    expect(summary(transfers.start(query(), friend)).count).toBe(2002);
    expect(summary(transfers.start(query(), friend)).count).toBe(2002);
  });
});
