import { decode } from 'dns-packet';
import { createClusterZone } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { type DnsServerOptions, validateDnsOptions } from '../src/options.ts';
import { createResponder } from '../src/responder.ts';
import type { Messages } from '../src/server-event.ts';
import { readReply } from '../src/upstream/message.ts';
import {
  answerFromTestZone,
  answerOf,
  createARecord,
  createOptRecord,
  createSoaRecord,
  decodeMessage,
  encodeQuery,
  replyOf,
  webName,
} from './support.ts';

const { signal } = new AbortController();
const rcodes = new Set(['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']);

function respond(packet: Uint8Array, transport: 'udp' | 'tcp', options: Partial<DnsServerOptions> = {}): readonly Uint8Array[] {
  const messages = createResponder(validateDnsOptions({ answer: answerFromTestZone, ...options })).respond(
    packet,
    { transport, address: '10.0.0.1' },
    signal,
  );
  expect(messages).not.toBeInstanceOf(Promise);
  return [...(messages as Messages)];
}

/** Expects at most one response: with the query's id, within the limit, and decodable. */
function expectAnswer(packet: Uint8Array, messages: readonly Uint8Array[], limit: number): void {
  expect(messages.length).toBeLessThanOrEqual(1);
  const [message] = messages;
  const isQuery = packet.length >= 12 && ((packet[2] as number) & 0x80) === 0;
  expect(message !== undefined).toBe(isQuery);
  if (!message) return;
  expect(message.length).toBeLessThanOrEqual(limit);
  expect([message[0], message[1]]).toEqual([packet[0], packet[1]]);
  const decoded = decode(Buffer.from(message)) as ReturnType<typeof decode> & { readonly rcode: string };
  expect(decoded.type).toBe('response');
  expect(rcodes).toContain(decoded.rcode);
}

const randomBytes = fc.uint8Array({ maxLength: 600 });
/** A query header with arbitrary section counts, followed by arbitrary bytes. */
const queryHeaderWithRandomBytes = fc
  .tuple(fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }), randomBytes)
  .map(([counts, rest]) => Uint8Array.from([1, 2, 1, 0, ...counts.flatMap((count) => [0, count]), ...rest]));
/** A query with some bytes changed and possibly cut off. */
const damagedQuery = fc
  .tuple(
    fc.constantFrom(encodeQuery(), encodeQuery('SRV', { payload: 4096 }), encodeQuery('IXFR', { additionals: [createOptRecord(512)] })),
    fc.array(fc.tuple(fc.nat({ max: 80 }), fc.nat({ max: 255 })), { maxLength: 6 }),
    fc.nat({ max: 80 }),
  )
  .map(([packet, changes, length]) => {
    const copy = Uint8Array.from(packet);
    for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
    return length < 12 ? copy.subarray(0, copy.length - length) : copy;
  });

describe('createResponder answers or drops', () => {
  test.each([
    ['random bytes', randomBytes],
    ['a query header with random bytes', queryHeaderWithRandomBytes],
    ['a damaged query', damagedQuery],
  ])('%s', (_, packets) => {
    fc.assert(
      fc.property(packets, (packet) => {
        expectAnswer(packet, respond(packet, 'udp'), 1232);
        expectAnswer(packet, respond(packet, 'tcp'), 0xffff);
      }),
      { numRuns: 500 },
    );
  });

  test('compression pointers in a loop', () => {
    const header = encodeQuery().subarray(0, 12);
    const additional = Buffer.from(header);
    additional[11] = 1;
    const loops = [
      Buffer.concat([header, Buffer.from([0xc0, 12, 0, 1, 0, 1])]),
      Buffer.concat([header, Buffer.from([1, 0x61, 0xc0, 12, 0, 1, 0, 1])]),
      // In the additional record.
      Buffer.concat([additional, Buffer.from([0, 0, 1, 0, 1, 1, 0x61, 0xc0, 17, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])]),
    ];
    for (const packet of loops) {
      const [message] = respond(packet, 'udp');
      // FORMERR.
      expect((message?.[3] as number) & 15).toBe(1);
    }
  });

  test('arbitrary bytes as additional records', () => {
    const query = encodeQuery();
    fc.assert(
      fc.property(randomBytes, fc.nat({ max: 2 }), (rest, count) => {
        const packet = Buffer.concat([query, rest]);
        packet[11] = count;
        expectAnswer(packet, respond(packet, 'udp'), 1232);
      }),
      { numRuns: 500 },
    );
  });
});

test('createResponder encodes any answer of a zone, or returns SERVFAIL', () => {
  const text = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom(webName, '10.0.0.1', 'fd00::1', '', '.', 'a..b.'));
  const number = fc.nat({ max: 0xffffffff });
  const record = fc.oneof(
    fc.record({ name: text, ttl: number, type: fc.constantFrom('A', 'AAAA'), address: text }),
    fc.record({ name: text, ttl: number, type: fc.constantFrom('CNAME', 'PTR', 'NS'), target: text }),
    fc.record({ name: text, ttl: number, type: fc.constant('SRV'), priority: number, weight: number, port: number, target: text }),
    fc.record({ name: text, ttl: number, type: fc.constant('TXT'), texts: fc.array(text) }),
    fc.constant(createSoaRecord()),
    fc.constant(createARecord(webName, '10.0.0.1')),
  );
  const recordLists = fc.array(record, { maxLength: 60 }) as fc.Arbitrary<ReturnType<typeof createARecord>[]>;
  fc.assert(
    fc.property(recordLists, recordLists, (records, additional) => {
      const packet = encodeQuery('A', { payload: 1232 });
      expectAnswer(packet, respond(packet, 'udp', { answer: () => answerOf(replyOf({ answer: records, additional })) }), 1232);
    }),
  );
});

test('a transfer sends every record that fits in a message, whatever the zone contains', () => {
  const target = fc.constantFrom('docs.example.com', `${'x'.repeat(64)}.example.com`, 'a..b', 'x.'.repeat(120));
  const metadata = fc.record({ name: fc.constantFrom('a', 'b', 'c'.repeat(63)), namespace: fc.constant('shop') });
  const port = fc.constantFrom('http', 'p'.repeat(63), 'q'.repeat(62));
  const spec = fc.oneof(
    port.map((name) => ({ clusterIP: '10.0.0.1', ports: [{ name, port: 80 }] })),
    target.map((externalName) => ({ type: 'ExternalName', externalName })),
  );
  const services = fc.uniqueArray(fc.record({ metadata, spec }), { selector: ({ metadata: { name } }) => name });
  fc.assert(
    fc.property(services, (serviceObjects) => {
      const { answer, zones, transfer } = createClusterZone(
        {},
        { objects: { services: serviceObjects, namespaces: [{ metadata: { name: 'shop' } }] } },
      );
      const options = { answer, zones, transfer, transferTo: ['10.0.0.1'] };
      const answers = respond(encodeQuery('AXFR', { name: 'cluster.local' }), 'tcp', options).flatMap(
        (message) => decodeMessage(message).answers,
      );
      expect([answers[0]?.type, answers.at(-1)?.type]).toEqual(['SOA', 'SOA']);
      const addressCount = serviceObjects.filter(({ spec }) => 'clusterIP' in spec).length;
      expect(answers.filter(({ name, type }) => type === 'A' && name.includes('.shop.svc.'))).toHaveLength(addressCount);
    }),
  );
});

test('readReply decodes any message or throws an Error', () => {
  fc.assert(
    fc.property(fc.oneof(randomBytes, queryHeaderWithRandomBytes, damagedQuery), (message) => {
      try {
        expect(['NOERROR', 'NXDOMAIN']).toContain(readReply(message).rcode);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    { numRuns: 500 },
  );
});
