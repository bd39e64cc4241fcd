import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerAddress, ServerKind } from './server-process.ts';

/** The answers that a client gets while others attack the server. */
export interface Measurement {
  /** Milliseconds of each request, in ascending order. */
  readonly milliseconds: readonly number[];
  /** The messages of failed requests. */
  readonly failures: readonly string[];
}

/** Sends one request after the other, each on a new connection, until `end` is resolved. */
export async function measureClient(kind: ServerKind, address: ServerAddress, end: Promise<unknown>): Promise<Measurement> {
  const milliseconds: number[] = [];
  const failures: string[] = [];
  const state = { ended: false };
  void end.then(() => {
    state.ended = true;
  });
  while (!state.ended) {
    const start = performance.now();
    try {
      await senders[kind](address);
      milliseconds.push(performance.now() - start);
    } catch (error) {
      failures.push(String(error));
    }
    await pause(intervalMs);
  }
  return { milliseconds: milliseconds.sort((a, b) => a - b), failures };
}

const intervalMs = 5;
const timeoutMs = 10_000;

/** Each sends one request on a new connection and reads the answer. */
const senders: Readonly<Record<ServerKind, (address: ServerAddress) => Promise<void>>> = {
  apiserver: (address) => get(address, '/api/v1/namespaces/default'),
  webhook: (address) => get(address, '/livez'),
  async dns({ port }) {
    const socket = connect({ port, host: '127.0.0.1' });
    try {
      socket.write(dnsQuery);
      await readAnswer(socket);
    } finally {
      socket.destroy();
    }
  },
};

function get({ port, ca, token }: ServerAddress, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const outgoing = request({ host: '127.0.0.1', port, path, ca, headers, agent: false, timeout: timeoutMs }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${path}: ${response.statusCode}`));
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms`)));
    outgoing.on('error', reject).end();
  });
}

async function readAnswer(socket: Socket): Promise<void> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer in ${timeoutMs} ms`)));
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('the server closed the connection')));
  await Promise.race([once(socket, 'data'), closed]);
}

/** A query for web.shop.svc.cluster.local with its length, as over TCP. */
const dnsQuery = frame(
  Buffer.concat([
    Buffer.from('123401000001000000000000', 'hex'),
    ...['web', 'shop', 'svc', 'cluster', 'local', ''].flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]),
    Buffer.from('00010001', 'hex'),
  ]),
);

function frame(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 255), message]);
}
