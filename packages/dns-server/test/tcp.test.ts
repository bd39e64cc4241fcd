import { once } from 'node:events';
import type { DnsQuestion, DnsReply } from 'kube-endpoints/dns';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { createClock } from '../../controllers/test/queue/clock.ts';
import { validateDnsOptions } from '../src/options.ts';
import { createFrames, createIdleTimer, frameMessage, openTcp, type TcpListener } from '../src/tcp.ts';
import {
  answerFromTestZone,
  answerOf,
  connectTo,
  createARecord,
  createSoaRecord,
  decodeMessage,
  encodeQuery,
  frame,
  replyOf,
  serve,
  webName,
} from './support.ts';

async function openListener(port = 0): Promise<{ listener: TcpListener; serverAddress: { address: string; port: number } }> {
  const settings = validateDnsOptions({ answer: answerFromTestZone, limits: { connections: 2 } });
  const listener = await openTcp(settings, port, { respond: (packet) => [packet, packet] }, new AbortController().signal);
  onTestFinished(() => listener.close());
  return { listener, serverAddress: { address: settings.address, port: listener.port } };
}

describe('openTcp', () => {
  test('counts connections, and sends every message of a response', async () => {
    const { listener, serverAddress } = await openListener();
    const [first, second] = [connectTo(serverAddress), connectTo(serverAddress)];
    for (const { socket } of [first, second]) socket.write(frame(encodeQuery()));
    expect([(await first.received(2)).length, (await second.received(2)).length, listener.connections]).toEqual([2, 2, 2]);
    first.socket.destroy();
    await first.closed;
    while (listener.connections > 1) await new Promise(setImmediate);
    expect(listener.connections).toBe(1);
  });

  test('closes connections when it is closed', async () => {
    const { listener, serverAddress } = await openListener();
    const client = connectTo(serverAddress);
    client.socket.write(frame(encodeQuery()));
    await client.received(1);
    await listener.close();
    await client.closed;
    expect(listener.connections).toBe(0);
  });
});

test('openTcp fails if the port is in use', async () => {
  const { listener } = await openListener();
  await expect(openListener(listener.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

const createMessage = (length: number, fill = 1): Uint8Array => new Uint8Array(length).fill(fill);

test('frameMessage prefixes a message with its length', () => {
  expect([...frameMessage(createMessage(300)).subarray(0, 3)]).toEqual([1, 44, 1]);
});

describe('createFrames', () => {
  test('returns the messages unchanged for any split of the bytes', () => {
    const messages = fc.array(fc.uint8Array({ minLength: 12, maxLength: 60 }), { maxLength: 8 });
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 40 })), (messageList, chunkLengths) => {
        let remainingBytes = Buffer.concat(messageList.map(frameMessage));
        const frames = createFrames();
        const readBack: Buffer[] = [];
        const readMessages = (): void => {
          for (let next = frames.next(); next; next = frames.next()) readBack.push(Buffer.from(next));
        };
        for (const chunkLength of chunkLengths) {
          frames.add(remainingBytes.subarray(0, chunkLength));
          remainingBytes = remainingBytes.subarray(chunkLength);
          readMessages();
        }
        frames.add(remainingBytes);
        readMessages();
        expect(readBack).toEqual(messageList.map((each) => Buffer.from(each)));
      }),
    );
  });

  test.each([0, 11, 4097, 65_535])('returns null for a message of %i bytes', (length) => {
    const frames = createFrames();
    frames.add(Uint8Array.of(length >> 8, length & 255));
    expect(frames.next()).toBeNull();
  });

  test('returns undefined for an incomplete message', () => {
    const frames = createFrames();
    frames.add(Uint8Array.of(0));
    expect(frames.next()).toBeUndefined();
    frames.add(Uint8Array.of(12, 1, 2));
    expect(frames.next()).toBeUndefined();
  });
});

const createQuery = (id: number, name = webName): Buffer => frame(encodeQuery('A', { id, name }));
const idsOf = (messages: readonly Buffer[]): number[] => messages.map((message) => message.readUInt16BE(0));

/** Answers names below "slow." only when the test calls a function in `pendingReplies`. */
function createSlowResolver() {
  const pendingReplies: ((reply: DnsReply) => void)[] = [];
  const resolver = { resolve: () => new Promise<DnsReply>((resolve) => pendingReplies.push(resolve)) };
  const answer = ({ name, type }: DnsQuestion) =>
    name.startsWith('slow.') ? answerOf(replyOf({ answer: [] }), { name: 'example.com.', type }) : answerFromTestZone({ name, type });
  return { resolver, answer, pendingReplies };
}

describe('a connection', () => {
  test('accepts queries split at any byte', async () => {
    const { serverAddress } = await serve();
    const client = connectTo(serverAddress);
    const bytes = Buffer.concat([createQuery(1), createQuery(2), createQuery(3)]);
    for (const part of [bytes.subarray(0, 1), bytes.subarray(1, 50), bytes.subarray(50)]) {
      await new Promise((written) => client.socket.write(part, written));
    }
    expect(idsOf(await client.received(3))).toEqual([1, 2, 3]);
  });

  test('sends fast answers before slow ones', async () => {
    const { resolver, answer, pendingReplies } = createSlowResolver();
    const { serverAddress } = await serve({ answer, resolver });
    const client = connectTo(serverAddress);
    client.socket.write(Buffer.concat([createQuery(1, 'slow.cluster.local'), createQuery(2)]));
    expect(idsOf(await client.received(1))).toEqual([2]);
    pendingReplies[0]?.(replyOf());
    expect(idsOf(await client.received(2))).toEqual([2, 1]);
  });

  test('answers earlier queries after the client half-closes, and is then closed', async () => {
    const { resolver, answer, pendingReplies } = createSlowResolver();
    const { serverAddress } = await serve({ answer, resolver });
    const client = connectTo(serverAddress);
    client.socket.end(Buffer.concat([createQuery(1), createQuery(2, 'slow.cluster.local')]));
    await client.received(1);
    pendingReplies[0]?.(replyOf());
    expect(idsOf(await client.received(2))).toEqual([1, 2]);
    await client.closed;
  });

  test('limits concurrent queries, and answers the others later', async () => {
    const { resolver, answer, pendingReplies } = createSlowResolver();
    const { serverAddress } = await serve({ answer, resolver, limits: { openPerConnection: 2 } });
    const client = connectTo(serverAddress);
    const slowQueries = [1, 2, 3, 4].map((id) => createQuery(id, 'slow.cluster.local'));
    client.socket.write(Buffer.concat([...slowQueries, createQuery(5)]));
    const otherClient = connectTo(serverAddress);
    otherClient.socket.write(createQuery(9));
    await otherClient.received(1);
    expect(pendingReplies).toHaveLength(2);
    for (let i = 0; i < 4; i++) {
      pendingReplies[i]?.(replyOf());
      await client.received(i + 1);
    }
    expect(idsOf(await client.received(5)).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('is closed if the bytes are not a query', async () => {
    const { serverAddress, events } = await serve();
    const client = connectTo(serverAddress);
    client.socket.write(Buffer.concat([createQuery(1), Buffer.from('GET / HTTP/1.1\r\n')]));
    await client.closed;
    expect(events).toContainEqual({ kind: 'connectionClosed', reason: 'malformed' });
  });

  test('is closed after an idle period; an incomplete query does not count as activity', async () => {
    const clock = createClock();
    const { serverAddress, events } = await serve({ clock, limits: { idleMs: 1000 } });
    const client = connectTo(serverAddress);
    client.socket.write(createQuery(1));
    await client.received(1);
    clock.advance(900);
    client.socket.write(createQuery(2));
    await client.received(2);
    clock.advance(900);
    await new Promise((written) => client.socket.write(Buffer.of(0, 40, 1), written));
    clock.advance(100);
    await client.closed;
    expect(events).toContainEqual({ kind: 'connectionClosed', reason: 'idle' });
    expect(clock.scheduled).toBe(0);
  });

  test('beyond the limit is closed at once while queries of all other connections are answered', async () => {
    const { resolver, answer, pendingReplies } = createSlowResolver();
    const { serverAddress, events } = await serve({ answer, resolver, limits: { connections: 1 } });
    const first = connectTo(serverAddress);
    first.socket.write(createQuery(1, 'slow.cluster.local'));
    while (pendingReplies.length === 0) await new Promise(setImmediate);
    await connectTo(serverAddress).closed;
    expect(events).toContainEqual({ kind: 'connectionClosed', reason: 'crowded' });
    pendingReplies[0]?.(replyOf());
    expect(idsOf(await first.received(1))).toEqual([1]);
    first.socket.destroy();
    await first.closed;
    const ids = async (): Promise<number[]> => {
      const next = connectTo(serverAddress);
      next.socket.write(createQuery(3));
      const messages = await Promise.race([next.received(1), next.closed]);
      return messages ? idsOf(messages) : ids();
    };
    expect(await ids()).toEqual([3]);
  });
});

describe('when there are too many connections', () => {
  test('the oldest one without a complete query is closed, before those that are idle after an answer', async () => {
    const { serverAddress, events } = await serve({ limits: { connections: 4 } });
    const idle = connectTo(serverAddress);
    idle.socket.write(createQuery(1));
    await idle.received(1);
    const [silent, partial, last] = [await openConnection(serverAddress), await openConnection(serverAddress), connectTo(serverAddress)];
    last.socket.write(createQuery(2));
    await last.received(1);
    partial.socket.write(createQuery(3).subarray(0, 20));
    for (const [id, closed] of [
      [4, silent],
      [5, partial],
    ] as const) {
      const next = connectTo(serverAddress);
      next.socket.write(createQuery(id));
      expect(idsOf(await next.received(1))).toEqual([id]);
      await closed.closed;
    }
    idle.socket.write(createQuery(6));
    expect(idsOf(await idle.received(2))).toEqual([1, 6]);
    expect(events.filter(({ kind }) => kind === 'connectionClosed')).toStrictEqual(
      Array.from({ length: 2 }, () => ({ kind: 'connectionClosed', reason: 'crowded' })),
    );
  });

  test('the longest idle one is closed if all others are idle', async () => {
    const { serverAddress } = await serve({ limits: { connections: 10 } });
    const clients = [];
    for (let id = 1; id <= 9; id++) {
      const client = connectTo(serverAddress);
      client.socket.write(createQuery(id));
      await client.received(1);
      clients.push(client);
    }
    const [first, second, ...others] = clients;
    first?.socket.write(createQuery(20));
    await first?.received(2);
    for (const id of [30, 31]) {
      const next = connectTo(serverAddress);
      next.socket.write(createQuery(id));
      expect(idsOf(await next.received(1))).toEqual([id]);
    }
    await second?.closed;
    for (const client of [first, ...others]) expect(client?.socket.destroyed).toBe(false);
  });

  test('a client that does not read its answers does not shut out others', async () => {
    const settings = validateDnsOptions({ answer: answerFromTestZone, limits: { connections: 1 } });
    // Id 1 gets more than the buffers of a connection can hold.
    const respond = (packet: Uint8Array) => (packet[1] === 1 ? Array.from({ length: 1000 }, () => createMessage(65_535)) : [packet]);
    const listener = await openTcp(settings, 0, { respond }, new AbortController().signal);
    onTestFinished(() => listener.close());
    const serverAddress = { address: settings.address, port: listener.port };
    const stalled = connectTo(serverAddress);
    stalled.socket.once('data', () => stalled.socket.pause());
    stalled.socket.write(createQuery(1));
    await once(stalled.socket, 'data');
    for (let id = 2, isAnswered = false; !isAnswered; id++) {
      const next = connectTo(serverAddress);
      next.socket.write(createQuery(id));
      isAnswered = (await Promise.race([next.received(1), next.closed])) !== undefined;
    }
  });
});

/** Connects, and waits until the server has accepted the connection. */
async function openConnection(serverAddress: { readonly address: string; readonly port: number }): Promise<ReturnType<typeof connectTo>> {
  const client = connectTo(serverAddress);
  await once(client.socket, 'connect');
  return client;
}

test('a response that fails while being sent ends only its own connection', async () => {
  const invalidSoa = { ...createSoaRecord(), name: `${'x'.repeat(64)}.` };
  const { serverAddress, events } = await serve({ zones: ['cluster.local.'], transfer: () => [invalidSoa], transferTo: ['127.0.0.1'] });
  const client = connectTo(serverAddress);
  client.socket.write(frame(encodeQuery('AXFR', { name: 'cluster.local' })));
  await client.closed;
  expect(events.at(-1)).toMatchObject({ kind: 'failed', what: 'answer', error: expect.any(RangeError) });
  const otherClient = connectTo(serverAddress);
  otherClient.socket.write(createQuery(3));
  expect(idsOf(await otherClient.received(1))).toEqual([3]);
});

describe('a zone transfer over TCP', () => {
  const records = [
    createSoaRecord(),
    ...Array.from({ length: 60_000 }, (_, i) => createARecord(`s${i}.shop.svc.cluster.local.`, '10.0.0.1')),
    createSoaRecord(),
  ];
  const options = { zones: ['cluster.local.'], transfer: () => records, transferTo: ['127.0.0.1'] };

  test('waits while the client does not read', async () => {
    const { serverAddress } = await serve(options);
    const client = connectTo(serverAddress);
    client.socket.pause();
    client.socket.write(frame(encodeQuery('AXFR', { name: 'cluster.local' })));
    const otherClient = connectTo(serverAddress);
    otherClient.socket.write(createQuery(9));
    await otherClient.received(1);
    client.socket.resume();
    let answerCount = 0;
    for (let received = 0; answerCount < records.length; ) {
      await client.received(received + 1);
      for (; received < client.messages.length; received++)
        answerCount += decodeMessage(client.messages[received] as Buffer).answers.length;
    }
    expect(answerCount).toBe(records.length);
  });

  test('allows the next transfer if its client disconnects', async () => {
    const { serverAddress, events } = await serve({ ...options, limits: { transfers: 1 } });
    const ask = async (): Promise<string> => {
      const client = connectTo(serverAddress);
      client.socket.write(frame(encodeQuery('AXFR', { name: 'cluster.local' })));
      const [message] = await client.received(1);
      client.socket.destroy();
      await client.closed;
      return decodeMessage(message as Buffer).rcode;
    };
    const rcodes = new Set<string>();
    while (events.filter(({ kind }) => kind === 'transferred').length < 3) rcodes.add(await ask());
    expect(rcodes).toContain('NOERROR');
  });
});

test('createIdleTimer calls back after an idle period', () => {
  const clock = createClock();
  let expiryCount = 0;
  const idleTimer = createIdleTimer(clock, 1000, () => void expiryCount++);
  clock.advance(900);
  idleTimer.restart();
  clock.advance(999);
  expect([expiryCount, clock.scheduled]).toEqual([0, 1]);
  clock.advance(1);
  expect([expiryCount, clock.scheduled]).toEqual([1, 0]);
});

test('createIdleTimer does not call back after stop', () => {
  const clock = createClock();
  createIdleTimer(clock, 1000, () => expect.unreachable()).stop();
  clock.advance(5000);
  expect(clock.scheduled).toBe(0);
});
