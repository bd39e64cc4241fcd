import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/packet/query.ts';
import { createOptRecord, createSoaRecord, encodeQuery, webName } from '../support.ts';

/** Returns a copy with other bytes at an offset. */
const replaceBytes = (packet: Buffer, offset: number, ...bytes: readonly number[]): Buffer => {
  const copy = Buffer.from(packet);
  copy.set(bytes, offset);
  return copy;
};

describe('parseQuery', () => {
  test('decodes the question unchanged', () => {
    const packet = encodeQuery('SRV', { name: 'Web.shop' });
    expect(parseQuery(packet)).toEqual({
      kind: 'query',
      query: {
        id: 0x1234,
        opcode: 0,
        recursionDesired: true,
        checkingDisabled: false,
        name: 'Web.shop.',
        type: 'SRV',
        packet,
        questionEnd: packet.length,
      },
    });
  });

  test("reads the client's payload size from EDNS", () => {
    expect(parseQuery(encodeQuery('A', { payload: 1400 }))).toMatchObject({
      query: { edns: { payload: 1400, version: 0, dnssec: false } },
    });
    const dnssecQuery = encodeQuery('A', { additionals: [createOptRecord(512, 0, 0x8000)] });
    expect(parseQuery(dnssecQuery)).toMatchObject({ query: { edns: { dnssec: true } } });
  });

  test("reads the client's serial from an IXFR query", () => {
    const { name, type, mname, rname, serial } = createSoaRecord(41) as Extract<ReturnType<typeof createSoaRecord>, { type: 'SOA' }>;
    const packet = encodeQuery('IXFR', { name: 'cluster.local', authorities: [{ name, type, data: { mname, rname, serial } }] });
    expect(parseQuery(packet)).toMatchObject({ kind: 'query', query: { type: 'IXFR', serial: 41 } });
  });

  test('accepts a type number that has no mnemonic', () => {
    const packet = encodeQuery();
    expect(parseQuery(replaceBytes(packet, packet.length - 4, 0xff, 0x01))).toMatchObject({ query: { type: 'TYPE65281' } });
  });
});

describe('parseQuery refuses', () => {
  const query = encodeQuery();
  const question = query.subarray(12);
  const queryWithEdns = encodeQuery('A', { additionals: [createOptRecord(512)] });
  test.each<[string, string, Buffer]>([
    ['several questions', 'FORMERR', Buffer.concat([replaceBytes(query, 5, 2), question])],
    ['no question', 'FORMERR', replaceBytes(query.subarray(0, 12), 5, 0)],
    ['a question that is cut off', 'FORMERR', query.subarray(0, -1)],
    ['a name that points at itself', 'FORMERR', Buffer.concat([query.subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])],
    ['records that the header announces but the packet does not contain', 'FORMERR', replaceBytes(query, 11, 1)],
    ['a header that announces 65,280 or more records', 'FORMERR', replaceBytes(query, 10, 0xff, 0xff)],
    ['a record that is cut off', 'FORMERR', encodeQuery('A', { additionals: [createOptRecord(512)] }).subarray(0, -1)],
    ['a record whose data is cut off', 'FORMERR', replaceBytes(queryWithEdns, queryWithEdns.length - 1, 1)],
    [
      'an option that is longer than its record',
      'FORMERR',
      Buffer.concat([replaceBytes(queryWithEdns, queryWithEdns.length - 1, 4), Buffer.from([0, 10, 0, 8])]),
    ],
    [
      'an option that is shorter than its record',
      'FORMERR',
      Buffer.concat([replaceBytes(queryWithEdns, queryWithEdns.length - 1, 3), Buffer.from([0, 10, 0])]),
    ],
    [
      'an OPT record whose name is not the root',
      'FORMERR',
      Buffer.concat([queryWithEdns.subarray(0, -11), Buffer.from([0xc0, 12]), queryWithEdns.subarray(-10)]),
    ],
    [
      'an SOA without a serial',
      'FORMERR',
      Buffer.concat([replaceBytes(query, 9, 1), Buffer.from([0, 0, 6, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0])]),
    ],
    [
      'a record whose name points ahead',
      'FORMERR',
      Buffer.concat([replaceBytes(query, 11, 1), Buffer.from([0xc0, 0xff]), queryWithEdns.subarray(-10)]),
    ],
    ['two OPT records', 'FORMERR', encodeQuery('A', { additionals: [createOptRecord(512), createOptRecord(512)] })],
    ['a question for type OPT', 'FORMERR', encodeQuery('OPT')],
    ['another opcode', 'NOTIMP', replaceBytes(query, 2, 0x28)],
    ['another class', 'REFUSED', encodeQuery('A', { questions: [{ name: webName, type: 'A', class: 'CH' }] })],
    ['a later EDNS version', 'BADVERS', encodeQuery('A', { additionals: [createOptRecord(512, 1)] })],
  ])('%s: %s', (_, rcode, packet) => {
    expect(parseQuery(packet)).toMatchObject({ kind: 'refuse', rcode, head: { id: 0x1234 } });
  });
});

describe('parseQuery drops', () => {
  test.each<[string, string, Buffer]>([
    ['an empty packet', 'short', Buffer.alloc(0)],
    ['less than a header', 'short', encodeQuery().subarray(0, 11)],
    ['an answer', 'response', replaceBytes(encodeQuery(), 2, 0x81)],
  ])('%s: %s', (_, reason, packet) => {
    expect(parseQuery(packet)).toEqual({ kind: 'drop', reason });
  });
});
