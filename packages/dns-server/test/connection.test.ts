import type { DnsQuestion, DnsReply } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../controllers/test/queue/clock.ts';
import { a, answerFrom, answerOf, connectTo, frame, queryOf, read, replyOf, serve, soa, web } from './support.ts';

const numbered = (id: number, name = web): Buffer => frame(queryOf('A', { id, name }));
const idsOf = (messages: readonly Buffer[]): number[] => messages.map((message) => message.readUInt16BE(0));

/** Answers names of "slow." when the test says so. */
function slowResolver() {
  const waiting: ((reply: DnsReply) => void)[] = [];
  const resolver = { resolve: () => new Promise<DnsReply>((resolve) => waiting.push(resolve)) };
  const answer = ({ name, type }: DnsQuestion) =>
    name.startsWith('slow.') ? answerOf(replyOf({ answer: [] }), { name: 'example.com.', type }) : answerFrom({ name, type });
  return { resolver, answer, waiting };
}

describe('a connection', () => {
  test('takes queries in any pieces', async () => {
    const { place } = await serve();
    const client = connectTo(place);
    const bytes = Buffer.concat([numbered(1), numbered(2), numbered(3)]);
    for (const part of [bytes.subarray(0, 1), bytes.subarray(1, 50), bytes.subarray(50)]) {
      await new Promise((written) => client.socket.write(part, written));
    }
    expect(idsOf(await client.received(3))).toEqual([1, 2, 3]);
  });

  test('answers what is quick before what is slow', async () => {
    const { resolver, answer, waiting } = slowResolver();
    const { place } = await serve({ answer, resolver });
    const client = connectTo(place);
    client.socket.write(Buffer.concat([numbered(1, 'slow.cluster.local'), numbered(2)]));
    expect(idsOf(await client.received(1))).toEqual([2]);
    waiting[0]?.(replyOf());
    expect(idsOf(await client.received(2))).toEqual([2, 1]);
  });

  test('answers what was asked before the client said that it is done, and is closed then', async () => {
    const { resolver, answer, waiting } = slowResolver();
    const { place } = await serve({ answer, resolver });
    const client = connectTo(place);
    client.socket.end(Buffer.concat([numbered(1), numbered(2, 'slow.cluster.local')]));
    await client.received(1);
    waiting[0]?.(replyOf());
    expect(idsOf(await client.received(2))).toEqual([1, 2]);
    await client.closed;
  });

  test('works on so many queries at a time, and on the next ones later', async () => {
    const { resolver, answer, waiting } = slowResolver();
    const { place } = await serve({ answer, resolver, limits: { openPerConnection: 2 } });
    const client = connectTo(place);
    const all = [1, 2, 3, 4].map((id) => numbered(id, 'slow.cluster.local'));
    client.socket.write(Buffer.concat([...all, numbered(5)]));
    const other = connectTo(place);
    other.socket.write(numbered(9));
    await other.received(1);
    expect(waiting).toHaveLength(2);
    for (let i = 0; i < 4; i++) {
      waiting[i]?.(replyOf());
      await client.received(i + 1);
    }
    expect(idsOf(await client.received(5)).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('is closed where what comes is no query', async () => {
    const { place, told } = await serve();
    const client = connectTo(place);
    client.socket.write(Buffer.concat([numbered(1), Buffer.from('GET / HTTP/1.1\r\n')]));
    await client.closed;
    expect(told).toContainEqual({ kind: 'connectionClosed', reason: 'malformed' });
  });

  test('is closed once nothing has moved for a while; half a query does not count', async () => {
    const clock = createClock();
    const { place, told } = await serve({ clock, limits: { idleMs: 1000 } });
    const client = connectTo(place);
    client.socket.write(numbered(1));
    await client.received(1);
    clock.advance(900);
    client.socket.write(numbered(2));
    await client.received(2);
    clock.advance(900);
    await new Promise((written) => client.socket.write(Buffer.of(0, 40, 1), written));
    clock.advance(100);
    await client.closed;
    expect(told).toContainEqual({ kind: 'connectionClosed', reason: 'idle' });
    expect(clock.scheduled).toBe(0);
  });

  test('beyond those there may be is closed at once; when one ends, there is room', async () => {
    const { place, told } = await serve({ limits: { connections: 1 } });
    const first = connectTo(place);
    first.socket.write(numbered(1));
    await first.received(1);
    await connectTo(place).closed;
    expect(told).toContainEqual({ kind: 'connectionClosed', reason: 'crowded' });
    first.socket.destroy();
    await first.closed;
    const ids = async (): Promise<number[]> => {
      const next = connectTo(place);
      next.socket.write(numbered(3));
      const done = await Promise.race([next.received(1), next.closed]);
      return done ? idsOf(done) : ids();
    };
    expect(await ids()).toEqual([3]);
  });
});

test('an answer that fails on its way ends the connection, and nothing else', async () => {
  const broken = { ...soa(), name: `${'x'.repeat(64)}.` };
  const { place, told } = await serve({ zones: ['cluster.local.'], transfer: () => [broken], transferTo: ['127.0.0.1'] });
  const client = connectTo(place);
  client.socket.write(frame(queryOf('AXFR', { name: 'cluster.local' })));
  await client.closed;
  expect(told.at(-1)).toMatchObject({ kind: 'failed', what: 'answer', error: expect.any(RangeError) });
  const other = connectTo(place);
  other.socket.write(numbered(3));
  expect(idsOf(await other.received(1))).toEqual([3]);
});

describe('a transfer', () => {
  const records = [soa(), ...Array.from({ length: 60_000 }, (_, i) => a(`s${i}.shop.svc.cluster.local.`, '10.0.0.1')), soa()];
  const options = { zones: ['cluster.local.'], transfer: () => records, transferTo: ['127.0.0.1'] };

  test('is written no faster than it is read', async () => {
    const { place } = await serve(options);
    const client = connectTo(place);
    client.socket.pause();
    client.socket.write(frame(queryOf('AXFR', { name: 'cluster.local' })));
    const other = connectTo(place);
    other.socket.write(numbered(9));
    await other.received(1);
    client.socket.resume();
    let count = 0;
    for (let seen = 0; count < records.length; ) {
      await client.received(seen + 1);
      for (; seen < client.messages.length; seen++) count += read(client.messages[seen] as Buffer).answers.length;
    }
    expect(count).toBe(records.length);
  });

  test('that its client leaves makes room for the next', async () => {
    const { place, told } = await serve({ ...options, limits: { transfers: 1 } });
    const ask = async (): Promise<string> => {
      const client = connectTo(place);
      client.socket.write(frame(queryOf('AXFR', { name: 'cluster.local' })));
      const [message] = await client.received(1);
      client.socket.destroy();
      await client.closed;
      return read(message as Buffer).rcode;
    };
    const rcodes = new Set<string>();
    while (told.filter(({ kind }) => kind === 'transferred').length < 3) rcodes.add(await ask());
    expect(rcodes).toContain('NOERROR');
  });
});
