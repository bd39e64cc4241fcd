import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { encode, type Packet } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../../controllers/test/queue/clock.ts';
import { createUpstreamResolver } from '../../src/index.ts';
import {
  type Exchange,
  exchangeOverTcp,
  exchangeOverUdp,
  parseServerAddress,
  type UpstreamOptions,
  type UpstreamResolver,
} from '../../src/upstream/resolver.ts';
import { answerOf, createARecord, decodeMessage, encodeQuery, frame, replyOf, serve } from '../support.ts';

const question = { name: 'example.com.', type: 'A' };

/** A server that answers every name with addresses. */
const serveAddresses = (count = 1) =>
  serve({
    answer: ({ name }) => answerOf(replyOf({ answer: Array.from({ length: count }, (_, i) => createARecord(name, `192.0.2.${i}`)) })),
  });

/** A UDP server that answers each query with the given packets; by default it sends nothing. */
async function createScriptedServer(
  answers: (query: Buffer) => readonly Packet[] = () => [],
): Promise<{ server: string; receivedQueries: Buffer[] }> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const receivedQueries: Buffer[] = [];
  socket.on('message', (query, { port, address }) => {
    receivedQueries.push(query);
    for (const packet of answers(query)) socket.send(encode({ type: 'response', id: query.readUInt16BE(0), ...packet }), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, receivedQueries };
}

const formatServerAddress = ({ serverAddress }: Awaited<ReturnType<typeof serve>>): string =>
  `${serverAddress.address}:${serverAddress.port}`;

/** A resolver whose clock does not advance by default, so that timeouts do not depend on the machine's load. */
const createResolver = (servers: readonly string[], options: UpstreamOptions = {}): UpstreamResolver =>
  createUpstreamResolver(servers, { clock: createClock(), ...options });

describe('a resolver', () => {
  test('returns the reply of its server', async () => {
    const reply = await createResolver([formatServerAddress(await serveAddresses())]).resolve(question);
    expect(reply).toMatchObject({ rcode: 'NOERROR', answer: [createARecord('example.com.', '192.0.2.0')] });
  });

  test('repeats a truncated query over TCP', async () => {
    const reply = await createResolver([formatServerAddress(await serveAddresses(200))]).resolve(question);
    expect(reply.answer).toHaveLength(200);
  });

  test('tries the next server if one is down or silent', async () => {
    const [closedServer, silentServer, workingServer] = [await serveAddresses(), await createScriptedServer(), await serveAddresses()];
    // Close it after the others have bound their ports, so that none of them reuses this one.
    await closedServer.server.close();
    const clock = createClock();
    const resolver = createResolver([formatServerAddress(closedServer), silentServer.server, formatServerAddress(workingServer)], {
      clock,
      timeout: 1000,
    });
    const reply = resolver.resolve(question);
    while (silentServer.receivedQueries.length === 0) await new Promise(setImmediate);
    clock.advance(1000);
    expect((await reply).answer).toHaveLength(1);
    expect(clock.scheduled).toBe(0);
  });

  test('ignores messages with another id, question or type', async () => {
    const questions = [{ name: 'example.com', type: 'A' } as const];
    const createAnswers = (data: string): Packet['answers'] => [{ name: 'example.com', type: 'A', data }];
    const answers = createAnswers('6.6.6.6');
    const validResponse = { questions, answers: createAnswers('192.0.2.1') };
    const { server } = await createScriptedServer((query): Packet[] => [
      { questions, answers, id: query.readUInt16BE(0) ^ 1 },
      { questions: [{ name: 'example.org', type: 'A' }], answers },
      { questions, answers, type: 'query' },
      validResponse,
    ]);
    const { answer } = await createResolver([server]).resolve(question);
    expect(answer).toMatchObject([{ address: '192.0.2.1' }]);
  });

  test('uses unpredictable ids', async () => {
    const { server, receivedQueries } = await createScriptedServer(() => [{ questions: [{ name: 'example.com', type: 'A' }] }]);
    const resolver = createResolver([server]);
    for (let i = 0; i < 8; i++) await resolver.resolve(question);
    expect(new Set(receivedQueries.map((query) => query.readUInt16BE(0))).size).toBeGreaterThan(4);
  });

  test('names the servers that did not answer', async () => {
    const clock = createClock();
    const { server, receivedQueries } = await createScriptedServer();
    const reply = createResolver([server], { clock, timeout: 500 }).resolve(question);
    const expected = expect(reply).rejects.toThrow('no answer (127.0.0.1: no answer within 500 ms)');
    while (receivedQueries.length === 0) await new Promise(setImmediate);
    clock.advance(500);
    await expected;
  });

  test('rejects when the signal aborts', async () => {
    const { server, receivedQueries } = await createScriptedServer();
    const abortController = new AbortController();
    const expected = expect(createResolver([server, server]).resolve(question, abortController.signal)).rejects.toThrow('cancelled');
    while (receivedQueries.length === 0) await new Promise(setImmediate);
    abortController.abort(new Error('cancelled'));
    await expected;
    await expect(createResolver([server]).resolve(question, abortController.signal)).rejects.toThrow('cancelled');
  });

  test('limits the number of concurrent queries', async () => {
    const { server } = await createScriptedServer();
    const abortController = new AbortController();
    const resolver = createResolver([server], { open: 1 });
    const openQuery = resolver.resolve(question, abortController.signal).catch(() => 'ended');
    await expect(resolver.resolve(question)).rejects.toThrow('too many concurrent queries (limit 1)');
    abortController.abort();
    expect(await openQuery).toBe('ended');
  });

  test('refuses an unknown type', async () => {
    await expect(createResolver(['127.0.0.1:1']).resolve({ name: 'a.', type: 'x' })).rejects.toThrow('"x" is not a record type');
  });
});

describe('a forwarded query', () => {
  test.each(['udp', 'tcp'] as const)('is answered with its original ID, over %s', async (transport) => {
    const packet = encodeQuery('A', { name: 'example.com' });
    const answer = await createResolver([formatServerAddress(await serveAddresses())]).forward(packet, transport);
    expect(decodeMessage(answer)).toMatchObject({ id: 0x1234, answers: [{ data: '192.0.2.0' }] });
    expect(packet.readUInt16BE(0)).toBe(0x1234);
  });

  test('fails over TCP if the server closes the connection or answers another question', async () => {
    const servers = await Promise.all(
      ['closes', 'wrongQuestion'].map(async (behaviour) => {
        const server = createServer((socket) => {
          socket.on('error', () => {});
          if (behaviour === 'closes') socket.end();
          else socket.write(frame(encodeQuery('A', { type: 'response', name: 'example.org' })));
        });
        onTestFinished(() => void server.close());
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `127.0.0.1:${(server.address() as { port: number }).port}`;
      }),
    );
    const failure = createResolver(servers).forward(encodeQuery('A', { name: 'example.com' }), 'tcp');
    await expect(failure).rejects.toThrow(/no answer \(.*(closed the connection|ECONNRESET).*sent a response to another query\)/);
  });
});

test.each<[readonly string[], object, string]>([
  [[], {}, 'servers is empty: give the address of at least one server'],
  [['x'], {}, '"x" is not the address of a DNS server'],
  [['10.0.0.1'], { timeout: 0 }, 'timeout is 0: give a whole number of at least 1'],
  [['10.0.0.1'], { open: 1.5 }, 'open is 1.5'],
])('createUpstreamResolver refuses servers %j with %j', (servers, options, message) => {
  expect(() => createUpstreamResolver(servers, options)).toThrow(message);
});

test.each([
  ['10.0.0.1', '10.0.0.1', 53],
  ['10.0.0.1:5353', '10.0.0.1', 5353],
  ['fd00::1', 'fd00::1', 53],
  ['[fd00::1]', 'fd00::1', 53],
  ['[fd00::1]:5353', 'fd00::1', 5353],
])('parseServerAddress parses %s', (text, address, port) => {
  expect(parseServerAddress(text)).toEqual({ address, port });
});

test.each([
  '',
  'dns.example.com',
  '10.0.0.1:',
  '10.0.0.1:0',
  '10.0.0.1:65536',
  '[10.0.0.1]:53',
  '[fd00::1',
  'fd00::1]:53',
  '10.0.0.1:5:3',
  ':53',
])('parseServerAddress refuses %j', (text) => {
  expect(() => parseServerAddress(text)).toThrow(
    `${JSON.stringify(text)} is not the address of a DNS server: give, for example, "10.0.0.1"`,
  );
});

const message = Buffer.from('question');
const accepts = (received: Uint8Array): boolean => Buffer.from(received).toString() === 'right';
const createExchange = (port: number, signal: AbortSignal = new AbortController().signal): Exchange => ({
  server: { address: '127.0.0.1', port },
  message,
  accepts,
  signal,
});

/** A server that answers each packet with these messages in order. */
async function startUdpServer(...answers: readonly string[]): Promise<number> {
  const socket = createSocket('udp4', (packet, { port, address }) => {
    expect(packet).toEqual(message);
    for (const answer of answers) socket.send(answer, port, address);
  });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket.address().port;
}

/** A server that sends these bytes in separate pieces. */
async function startTcpServer(...pieces: readonly Uint8Array[]): Promise<number> {
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    for (const piece of pieces) await new Promise((written) => socket.write(piece, written));
    if (pieces.length === 0) socket.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

describe('exchangeOverUdp', () => {
  test('returns the first accepted message', async () => {
    expect(Buffer.from(await exchangeOverUdp(createExchange(await startUdpServer('wrong', 'right', 'right')))).toString()).toBe('right');
  });

  test('ignores messages from another address', async () => {
    const otherSocket = createSocket('udp4');
    onTestFinished(() => void otherSocket.close());
    await new Promise<void>((resolve) => otherSocket.bind(0, '127.0.0.1', resolve));
    const server = createSocket('udp4', (_, { port }) => {
      otherSocket.send('right', port, '127.0.0.1', () =>
        server.send('wrong', port, '127.0.0.1', () => abortController.abort(new Error('no message accepted'))),
      );
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    const abortController = new AbortController();
    await expect(exchangeOverUdp(createExchange(server.address().port, abortController.signal))).rejects.toThrow('no message accepted');
  });
});

describe('exchangeOverTcp', () => {
  test('accepts an answer in pieces', async () => {
    const bytes = frame(Buffer.from('right'));
    const port = await startTcpServer(bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4));
    expect(Buffer.from(await exchangeOverTcp(createExchange(port))).toString()).toBe('right');
  });

  test.each<[string, readonly Uint8Array[], RegExp]>([
    ['something else', [frame(Buffer.from('wrong'))], /sent a response to another query/],
    ['nothing', [], /closed the connection without an answer|ECONNRESET/],
  ])('rejects if the server sends %s', async (_, pieces, expected) => {
    await expect(exchangeOverTcp(createExchange(await startTcpServer(...pieces)))).rejects.toThrow(expected);
  });
});

test.each([
  ['UDP', exchangeOverUdp],
  ['TCP', exchangeOverTcp],
])('an exchange over %s rejects when the signal aborts, and does not start after that', async (_, exchangeOver) => {
  const abortController = new AbortController();
  const response = exchangeOver(
    createExchange(await (exchangeOver === exchangeOverUdp ? startUdpServer() : startTcpServer(Buffer.of(0))), abortController.signal),
  );
  abortController.abort(new Error('cancelled'));
  await expect(response).rejects.toThrow('cancelled');
  await expect(exchangeOver(createExchange(1, abortController.signal))).rejects.toThrow('cancelled');
});
