import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchange, exchangeOverTcp, exchangeOverUdp } from '../../src/upstream/exchange.ts';
import { frame } from '../support.ts';

const message = Buffer.from('question');
const accepts = (received: Uint8Array): boolean => Buffer.from(received).toString() === 'right';
const exchange = (port: number, signal: AbortSignal = new AbortController().signal): Exchange => ({
  server: { address: '127.0.0.1', port },
  message,
  accepts,
  signal,
});

/** A server that answers each packet with these, one after the other. */
async function udpServer(...answers: readonly string[]): Promise<number> {
  const socket = createSocket('udp4', (packet, { port, address }) => {
    expect(packet).toEqual(message);
    for (const answer of answers) socket.send(answer, port, address);
  });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket.address().port;
}

/** A server that answers with these bytes, in pieces. */
async function tcpServer(...pieces: readonly Uint8Array[]): Promise<number> {
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    for (const piece of pieces) await new Promise((written) => socket.write(piece, written));
    if (pieces.length === 0) socket.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

describe('over UDP', () => {
  test('the first message that is accepted is the answer', async () => {
    expect(Buffer.from(await exchangeOverUdp(exchange(await udpServer('wrong', 'right', 'right')))).toString()).toBe('right');
  });

  test('what another sends is not looked at', async () => {
    const other = createSocket('udp4');
    onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => other.bind(0, '127.0.0.1', resolve));
    const server = createSocket('udp4', (_, { port }) => {
      other.send('right', port, '127.0.0.1', () => server.send('wrong', port, '127.0.0.1', () => end.abort(new Error('nothing came'))));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    const end = new AbortController();
    await expect(exchangeOverUdp(exchange(server.address().port, end.signal))).rejects.toThrow('nothing came');
  });
});

describe('over TCP', () => {
  test('the answer may come in pieces', async () => {
    const bytes = frame(Buffer.from('right'));
    const port = await tcpServer(bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4));
    expect(Buffer.from(await exchangeOverTcp(exchange(port))).toString()).toBe('right');
  });

  test.each<[string, readonly Uint8Array[], RegExp]>([
    ['something else', [frame(Buffer.from('wrong'))], /answered something else than was asked/],
    ['nothing', [], /closed the connection without an answer|ECONNRESET/],
  ])('%s is no answer', async (_, pieces, expected) => {
    await expect(exchangeOverTcp(exchange(await tcpServer(...pieces)))).rejects.toThrow(expected);
  });
});

test.each([
  ['UDP', exchangeOverUdp],
  ['TCP', exchangeOverTcp],
])('over %s, it ends with the signal, and does not begin after it', async (_, ask) => {
  const end = new AbortController();
  const asked = ask(exchange(await (ask === exchangeOverUdp ? udpServer() : tcpServer(Buffer.of(0))), end.signal));
  end.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await expect(ask(exchange(1, end.signal))).rejects.toThrow('enough');
});
