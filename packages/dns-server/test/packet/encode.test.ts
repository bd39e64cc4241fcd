import type { DnsRecord } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { createEncoder, type ResponseCode } from '../../src/packet/encode.ts';
import { parseQuery, type Query } from '../../src/packet/query.ts';
import { createARecord, createSoaRecord, decodeMessage, encodeQuery, replyOf, webName } from '../support.ts';

const options = { maxBytes: 512, payload: 1232, isRecursionAvailable: false };

function query(...args: Parameters<typeof encodeQuery>): Query {
  const received = parseQuery(encodeQuery(...args));
  if (received.kind !== 'query') throw new Error('no query');
  return received.query;
}

const addressRecords = (count: number): DnsRecord[] =>
  Array.from({ length: count }, (_, i) => createARecord(webName, `10.0.${i >> 8}.${i & 255}`));

describe('encodeReply', () => {
  const recordFields = { name: 'x.cluster.local', ttl: 30, class: 'IN', flush: false };
  test.each<[DnsRecord, unknown]>([
    [{ name: 'x.cluster.local.', ttl: 30, type: 'A', address: '10.0.0.1' }, '10.0.0.1'],
    [{ name: 'x.cluster.local.', ttl: 30, type: 'AAAA', address: 'fd00::1' }, 'fd00::1'],
    [
      { name: 'x.cluster.local.', ttl: 30, type: 'SRV', priority: 0, weight: 50, port: 8080, target: 'a.x.cluster.local.' },
      { priority: 0, weight: 50, port: 8080, target: 'a.x.cluster.local' },
    ],
    [{ name: 'x.cluster.local.', ttl: 30, type: 'PTR', target: webName }, webName.slice(0, -1)],
    [{ name: 'x.cluster.local.', ttl: 30, type: 'CNAME', target: 'example.com.' }, 'example.com'],
    [{ name: 'x.cluster.local.', ttl: 30, type: 'NS', target: 'ns.dns.cluster.local.' }, 'ns.dns.cluster.local'],
    [
      { name: 'x.cluster.local.', ttl: 30, type: 'TXT', texts: ['1.1.0', '', 'x'.repeat(256)] },
      ['1.1.0', '', 'x'.repeat(255), 'x'].map((text) => Buffer.from(text)),
    ],
  ])('encodes %o', (record, data) => {
    const message = createEncoder().encodeReply(query('ANY'), replyOf({ answer: [record] }), options);
    expect(decodeMessage(message).answers).toEqual([{ ...recordFields, type: record.type, data }]);
  });

  test('preserves an SOA record with 32-bit numbers', () => {
    const serial = 0xffffffff;
    const { authorities } = decodeMessage(createEncoder().encodeReply(query(), replyOf({ authority: [createSoaRecord(serial)] }), options));
    expect(authorities).toMatchObject([
      { type: 'SOA', name: 'cluster.local', data: { mname: 'ns.dns.cluster.local', serial, minimum: 5 } },
    ]);
  });

  test('encodes all sections and the unchanged question', () => {
    const additional = [createARecord('db.shop.svc.cluster.local.', '10.0.0.2')];
    const reply = replyOf({ answer: [createARecord(webName, '10.0.0.1')], authority: [createSoaRecord()], additional });
    const message = decodeMessage(createEncoder().encodeReply(query('A', { name: webName.toUpperCase() }), reply, options));
    expect(message).toMatchObject({ id: 0x1234, rcode: 'NOERROR', flag_aa: true, flag_rd: true, flag_ra: false, flag_tc: false });
    expect(message.questions).toEqual([{ name: webName.slice(0, -1).toUpperCase(), type: 'A', class: 'IN' }]);
    expect([message.answers, message.authorities, message.additionals].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test.each<[string, DnsRecord]>([
    ['an address', createARecord(webName, 'x')],
    ['a name', { name: webName, ttl: 5, type: 'CNAME', target: 'a..b.' }],
  ])('throws for invalid data: %s', (_, record) => {
    expect(() => createEncoder().encodeReply(query(), replyOf({ answer: [record] }), options)).toThrow(RangeError);
  });
});

describe('encodeReply over the limit', () => {
  test('leaves out answers and sets the truncated flag', () => {
    const message = createEncoder().encodeReply(query(), replyOf({ answer: addressRecords(100) }), options);
    const { answers, flag_tc } = decodeMessage(message);
    expect(message.length).toBeLessThanOrEqual(512);
    expect(message.length).toBeGreaterThan(512 - 16);
    expect({ flag_tc, count: answers.length }).toEqual({ flag_tc: true, count: Math.floor((512 - 12 - 31) / 16) });
  });

  test('reserves space for EDNS', () => {
    const message = createEncoder().encodeReply(query('A', { payload: 512 }), replyOf({ answer: addressRecords(100) }), options);
    expect(message.length).toBeLessThanOrEqual(512);
    expect(decodeMessage(message).additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232, ednsVersion: 0 }]);
  });

  test('leaves out additional records without the truncated flag', () => {
    const message = decodeMessage(
      createEncoder().encodeReply(query(), replyOf({ answer: addressRecords(2), additional: addressRecords(100) }), options),
    );
    expect({ tc: message.flag_tc, answers: message.answers.length }).toEqual({ tc: false, answers: 2 });
    expect(message.additionals.length).toBeLessThan(100);
  });

  test('truncates a message over TCP at 64 KiB', () => {
    const message = createEncoder().encodeReply(query(), replyOf({ answer: addressRecords(5000) }), { ...options, maxBytes: 0xffff });
    expect(message.length).toBeLessThanOrEqual(0xffff);
    expect(decodeMessage(message).flag_tc).toBe(true);
  });
});

describe('encodeRefusal', () => {
  test.each<[ResponseCode, string]>([
    ['SERVFAIL', 'SERVFAIL'],
    ['REFUSED', 'REFUSED'],
    ['NXDOMAIN', 'NXDOMAIN'],
  ])('returns %s, with the question', (rcode, expected) => {
    const refusedQuery = query();
    const message = decodeMessage(
      createEncoder().encodeRefusal(rcode, refusedQuery, refusedQuery, { payload: 1232, isRecursionAvailable: true }),
    );
    expect(message).toMatchObject({ id: 0x1234, rcode: expected, flag_qr: true, flag_ra: true, flag_aa: false, answers: [] });
    expect(message.questions).toHaveLength(1);
  });

  test('writes only the header if there is no question', () => {
    const head = { id: 7, opcode: 5, recursionDesired: false, checkingDisabled: true };
    const message = createEncoder().encodeRefusal('NOTIMP', head, undefined, { payload: 1232, isRecursionAvailable: false });
    expect(message.toString('hex')).toBe('0007a8140000000000000000');
  });

  test('answers an unsupported EDNS version with an EDNS record', () => {
    const refusedQuery = query('A', { payload: 4096 });
    const { additionals } = decodeMessage(
      createEncoder().encodeRefusal('BADVERS', refusedQuery, refusedQuery, { payload: 1232, isRecursionAvailable: false }),
    );
    expect(additionals).toMatchObject([{ type: 'OPT', extendedRcode: 1 }]);
  });
});

describe('encodeTransfer', () => {
  test('splits the records into messages', () => {
    const encoder = createEncoder();
    const transferQuery = query('AXFR');
    const records = addressRecords(3000);
    const counts: number[] = [];
    for (let from = 0; from < records.length; ) {
      const { message, nextIndex } = encoder.encodeTransfer(transferQuery, records, from);
      expect(message?.length).toBeLessThanOrEqual(0x4000);
      counts.push(decodeMessage(message as Uint8Array).answers.length);
      from = nextIndex;
    }
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(3000);
  });

  const createTextRecord = (length: number): DnsRecord => ({ name: webName, ttl: 5, type: 'TXT', texts: ['x'.repeat(length)] });

  test('uses a longer message for a record that needs one', () => {
    const records = [...addressRecords(1), createTextRecord(0x5000), ...addressRecords(1)];
    const encoder = createEncoder();
    const ends: number[] = [];
    for (let from = 0; from < records.length; from = ends.at(-1) as number)
      ends.push(encoder.encodeTransfer(query('AXFR'), records, from).nextIndex);
    expect(ends).toEqual([1, 2, 3]);
  });

  test('leaves out a record that fits in no message, and reports it', () => {
    const { message, nextIndex, failures } = createEncoder().encodeTransfer(
      query('AXFR'),
      [createTextRecord(0x10000), ...addressRecords(1)],
      0,
    );
    expect([decodeMessage(message as Uint8Array).answers.length, nextIndex]).toEqual([1, 2]);
    expect(failures).toEqual([new RangeError(`a record of ${webName} does not fit in a message`)]);
  });
});
