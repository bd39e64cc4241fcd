import { describe, expect, test } from 'vitest';
import { type DnsServerOptions, validateDnsOptions } from '../src/options.ts';
import { createEncoder } from '../src/packet/encode.ts';
import { parseQuery, type Query } from '../src/packet/query.ts';
import type { DnsServerEvent, Sender } from '../src/server-event.ts';
import { createTransfers } from '../src/transfers.ts';
import { answerFromTestZone, createARecord, createSoaRecord, decodeMessage, encodeQuery, webName } from './support.ts';

const records = [
  createSoaRecord(7),
  ...Array.from({ length: 2000 }, (_, i) => createARecord(`s${i}.shop.svc.cluster.local.`, '10.0.0.1')),
  createSoaRecord(7),
];
const permittedSender: Sender = { transport: 'tcp', address: '::ffff:10.0.0.9' };

function createFixture(options: Partial<DnsServerOptions> = {}) {
  const events: DnsServerEvent[] = [];
  const zone = { zones: ['cluster.local.'], transfer: () => records, transferTo: ['10.0.0.0/24'] };
  const settings = validateDnsOptions({ answer: answerFromTestZone, ...zone, onEvent: (event) => void events.push(event), ...options });
  return { events, transfers: createTransfers(settings, createEncoder()) };
}

function query(type = 'AXFR', name = 'Cluster.local', serial?: number): Query {
  const authority = { name, type: 'SOA', data: { mname: 'a', rname: 'b', serial } } as const;
  const received = parseQuery(encodeQuery(type, { name, ...(serial !== undefined && { authorities: [authority] }) }));
  if (received.kind !== 'query') throw new Error('no query');
  return received.query;
}

/** The first and last record type, and the number of records. */
const summarize = (messages: Iterable<Uint8Array> | undefined) => {
  const answers = [...(messages ?? [])].flatMap((message) => decodeMessage(message).answers);
  return { first: answers[0]?.type, last: answers.at(-1)?.type, count: answers.length };
};

describe('a zone transfer', () => {
  test.each([
    ['AXFR', query()],
    ['IXFR', query('IXFR')],
    ['IXFR from an older serial', query('IXFR', 'cluster.local', 6)],
  ])('sends all records, with the SOA first and last: %s', (_, transferQuery) => {
    const { transfers, events } = createFixture();
    const messages = [...(transfers.start(transferQuery, permittedSender) ?? [])];
    expect(messages.length).toBeGreaterThan(1);
    expect(summarize(messages)).toEqual({ first: 'SOA', last: 'SOA', count: 2002 });
    expect(events).toEqual([{ kind: 'transferred', zone: 'cluster.local.', address: '10.0.0.9', records: 2002 }]);
  });

  test('sends only the SOA if the client has the current serial', () => {
    expect(summarize(createFixture().transfers.start(query('IXFR', 'cluster.local', 7), permittedSender))).toEqual({
      first: 'SOA',
      last: 'SOA',
      count: 1,
    });
    expect(summarize(createFixture().transfers.start(query('AXFR', 'cluster.local', 7), permittedSender)).count).toBe(2002);
  });
});

describe('records that do not fit in a message', () => {
  const invalidRecords = [
    createARecord(`_${'p'.repeat(63)}._tcp.web.shop.svc.cluster.local.`, '10.0.0.1'),
    createARecord(webName, 'invalid'),
  ];
  const invalidTarget = { name: webName, ttl: 5, type: 'CNAME', target: `${'x'.repeat(64)}.example.com.` } as const;
  const tooLongRecord = { name: webName, ttl: 5, type: 'TXT', texts: ['x'.repeat(70_000)] } as const;

  test('are left out at any position, and reported', () => {
    const mixedRecords = [
      createSoaRecord(7),
      ...invalidRecords,
      tooLongRecord,
      ...records.slice(1, 1000),
      invalidTarget,
      ...records.slice(1000, -1),
      tooLongRecord,
      invalidTarget,
      createSoaRecord(7),
    ];
    const { transfers, events } = createFixture({ transfer: () => mixedRecords });
    const messages = [...(transfers.start(query(), permittedSender) ?? [])];
    const answers = messages.flatMap((message) => decodeMessage(message).answers);
    expect(answers.map(({ name, type }) => `${name}. ${type}`)).toEqual(records.map(({ name, type }) => `${name} ${type}`));
    expect(events.at(-1)).toMatchObject({ kind: 'leftOut', zone: 'cluster.local.', address: '10.0.0.9', records: 6 });
    expect(events.at(-1)).toMatchObject({
      error: { message: expect.stringContaining('is not a valid DNS name, or too long for a packet') },
    });
  });

  test('produce no message if there are no other records', () => {
    expect([...(createFixture({ transfer: () => invalidRecords }).transfers.start(query(), permittedSender) ?? [])]).toEqual([]);
  });

  test('end the transfer with an error if the SOA is one of them, and allow the next transfer', () => {
    const invalidSoa = { ...createSoaRecord(7), name: `${'x'.repeat(64)}.` };
    const { transfers } = createFixture({ transfer: () => [invalidSoa], limits: { transfers: 1 } });
    for (let i = 0; i < 2; i++) expect(() => [...(transfers.start(query(), permittedSender) ?? [])]).toThrow(RangeError);
  });
});

describe('a zone transfer is refused', () => {
  test.each<[string, Partial<DnsServerOptions>, Query, Sender]>([
    ['over UDP', {}, query(), { ...permittedSender, transport: 'udp' }],
    ['to addresses that are not permitted', {}, query(), { transport: 'tcp', address: '10.0.1.9' }],
    ['to any address if transferTo is empty', { transferTo: [] }, query(), permittedSender],
    ['if the name is below the origin of the zone', {}, query('AXFR', 'shop.cluster.local'), permittedSender],
    ['while the records are incomplete', { ready: () => false }, query(), permittedSender],
  ])('%s', (_, options, query, sender) => {
    const { transfers, events } = createFixture(options);
    expect(transfers.start(query, sender)).toBeUndefined();
    expect(events).toMatchObject([{ kind: 'transferRefused', transport: sender.transport }]);
  });

  test('beyond the limit of concurrent transfers, until a transfer is finished or abandoned', () => {
    const { transfers } = createFixture({ limits: { transfers: 1 } });
    const runningTransfer = transfers.start(query(), permittedSender)?.[Symbol.iterator]();
    runningTransfer?.next();
    expect(transfers.start(query(), permittedSender)).toBeUndefined();
    runningTransfer?.return?.();
    expect(summarize(transfers.start(query(), permittedSender)).count).toBe(2002);
    expect(summarize(transfers.start(query(), permittedSender)).count).toBe(2002);
  });
});
