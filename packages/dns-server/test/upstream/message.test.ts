import { encode, type Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { isResponseTo, isTruncated, readReply, writeQuery } from '../../src/upstream/message.ts';
import { decodeMessage } from '../support.ts';

const query = writeQuery({ name: 'example.com.', type: 'A' }, 0xabcd);
const question = { name: 'example.com', type: 'A', class: 'IN' } as const;
const createResponse = (fields: Packet = {}): Buffer => encode({ type: 'response', id: 0xabcd, questions: [question], ...fields });

test('writeQuery writes one question, requests recursion, and announces the payload size', () => {
  const { questions, additionals, ...head } = decodeMessage(query);
  expect(head).toMatchObject({ id: 0xabcd, flag_rd: true, type: 'query' });
  expect(questions).toEqual([question]);
  expect(additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }]);
});

test('writeQuery accepts a type without a name', () => {
  const message = writeQuery({ name: 'example.com.', type: 'TYPE65281' }, 1);
  expect(message.length).toBeGreaterThan(12);
  expect(Buffer.from(message).includes(Buffer.from([0xff, 0x01, 0, 1]))).toBe(true);
});

describe('isResponseTo', () => {
  test.each<[string, boolean, Buffer]>([
    ['that matches the query', true, createResponse()],
    ['in other letter case', true, createResponse({ questions: [{ ...question, name: 'EXAMPLE.com' }] })],
    ['to another id', false, createResponse({ id: 0xabce })],
    ['to another name', false, createResponse({ questions: [{ ...question, name: 'example.org' }] })],
    ['to another type', false, createResponse({ questions: [{ ...question, type: 'AAAA' }] })],
    ['to no question', false, createResponse({ questions: [] })],
    ['that is a query', false, createResponse({ type: 'query' })],
    ['that is cut off', false, createResponse().subarray(0, 20)],
    ['that is empty', false, Buffer.alloc(0)],
  ])('for a message %s, returns %s', (_, expected, message) => {
    expect(isResponseTo(message, query)).toBe(expected);
  });
});

test('isTruncated reads the truncated flag', () => {
  expect([isTruncated(createResponse()), isTruncated(createResponse({ flags: 0x0200 }))]).toEqual([false, true]);
});

describe('readReply', () => {
  test("returns the records in the zone's format", () => {
    const name = 'example.com';
    const reply = readReply(
      createResponse({
        answers: [
          { name, type: 'A', ttl: 30, data: '192.0.2.1' },
          { name, type: 'AAAA', ttl: 30, data: '2001:db8::1' },
          { name, type: 'CNAME', ttl: 30, data: 'a.example.org' },
          { name, type: 'SRV', ttl: 30, data: { port: 80, target: 'b.example.org' } },
          { name, type: 'TXT', ttl: 30, data: ['x', 'y'] },
          { name, type: 'MX', ttl: 30, data: { exchange: 'mail.example.org' } },
        ],
        authorities: [{ name, type: 'SOA', ttl: 60, data: { mname: 'ns.example.org', rname: 'root.example.org', serial: 4 } }],
        additionals: [{ name, type: 'NS', data: 'ns.example.org' }],
      }),
    );
    const owner = { name: 'example.com.', ttl: 30 };
    expect(reply).toMatchObject({ rcode: 'NOERROR', authoritative: false });
    expect(reply.answer).toEqual([
      { ...owner, type: 'A', address: '192.0.2.1' },
      { ...owner, type: 'AAAA', address: '2001:db8::1' },
      { ...owner, type: 'CNAME', target: 'a.example.org.' },
      { ...owner, type: 'SRV', priority: 0, weight: 0, port: 80, target: 'b.example.org.' },
      { ...owner, type: 'TXT', texts: ['x', 'y'] },
    ]);
    expect(reply.authority).toMatchObject([{ type: 'SOA', mname: 'ns.example.org.', serial: 4, ttl: 60 }]);
    expect(reply.additional).toEqual([{ name: 'example.com.', ttl: 0, type: 'NS', target: 'ns.example.org.' }]);
  });

  test('accepts NXDOMAIN', () => {
    expect(readReply(createResponse({ flags: 3 }))).toMatchObject({ rcode: 'NXDOMAIN', answer: [] });
  });

  test.each([
    [2, 'the resolver answered SERVFAIL'],
    [5, 'the resolver answered REFUSED'],
    [9, 'the resolver answered an error'],
  ])('throws if the resolver reports an error (rcode %i)', (flags, message) => {
    expect(() => readReply(createResponse({ flags }))).toThrow(message);
  });
});
