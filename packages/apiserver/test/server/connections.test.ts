import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRawConnection, type RawConnection } from '../../../../test/support/raw-connection.ts';
import type { Listening } from '../../src/server/index.ts';
import { connectTo, deferred, head, sendRequest, serve, text } from './support.ts';

const answerOk = (): ReturnType<typeof text> => text('ok');

/** Connects without sending anything. The server has accepted the connection when a later request is answered. */
async function connectSilently({ port }: Listening, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.resume().on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.on('close', () => resolve());
  });

/** Sends a request on a kept-alive connection and waits for the complete answer. */
async function exchange(client: RawConnection, count = 1): Promise<void> {
  client.send(head('GET /'));
  await client.until(new RegExp(`^(?:HTTP[^]*?ok){${count}}$`));
}

async function connectWithTls({ port, ca }: Listening): Promise<RawConnection<TLSSocket>> {
  const client = createRawConnection(connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' }));
  await once(client.socket, 'secureConnect');
  return client;
}

describe.each([true, false])('when there are too many connections, with tls: %s,', (tls) => {
  const open = (server: Listening): Promise<RawConnection> => (tls ? connectWithTls(server) : Promise.resolve(connectTo(server)));

  it('the oldest one without a complete request is closed, before idle ones', async () => {
    const server = await serve(answerOk, { tls, limits: { connections: 5 } });
    const idle = await open(server);
    await exchange(idle);
    const silent = await connectSilently(server);
    silent.on('close', () => expect(partial.socket.destroyed).toBe(false));
    const partial = await open(server);
    partial.send('GET / HTTP/1.1\r\n');
    const last = await open(server);
    await exchange(last);
    const others: RawConnection[] = [];
    for (const expected of [undefined, silent, partial.socket]) {
      const next = await open(server);
      await exchange(next);
      others.push(next);
      if (expected) await closed(expected);
    }
    for (const client of [idle, last, ...others]) await exchange(client, 2);
  });

  it('the longest idle one is closed if all others are idle', async () => {
    const server = await serve(answerOk, { tls, limits: { connections: 10 } });
    const clients: RawConnection[] = [];
    for (let i = 0; i < 10; i++) {
      const client = await open(server);
      await exchange(client);
      clients.push(client);
    }
    const [first, second, ...others] = clients as [RawConnection, RawConnection];
    await exchange(first, 2);
    expect(await sendRequest(server, '/')).toMatchObject({ code: 200, body: 'ok' });
    await second.closed;
    await exchange(first, 3);
    for (const client of others) await exchange(client, 2);
  });

  it('one whose requests are all unauthorized is closed before idle ones', async () => {
    const server = await serve(answerOk, { tls, limits: { connections: 3 } });
    const idle = await open(server);
    await exchange(idle);
    const unauthorized = await open(server);
    unauthorized.send(head('GET /', { Authorization: 'Bearer wrong' }));
    await unauthorized.until(/"code":401/);
    for (let i = 0; i < 2; i++) await exchange(await open(server));
    await unauthorized.closed;
    await exchange(idle, 2);
  });

  it('one whose request has an incomplete body is closed before others', async () => {
    const received = deferred();
    const server = await serve(
      async (request) => {
        if (request.method !== 'POST') return answerOk();
        received.resolve();
        return text(String((await request.body()).length));
      },
      { tls, limits: { connections: 2 } },
    );
    const slow = await open(server);
    slow.send(head('POST /', { 'Content-Length': '10' }, 'half'));
    await received.promise;
    const idle = await open(server);
    await exchange(idle);
    await exchange(await open(server));
    await slow.closed;
    await exchange(idle, 2);
  });

  it('watches are never closed', async () => {
    async function* endlessEvents(): AsyncGenerator<string> {
      yield 'event';
      await new Promise(() => undefined);
    }
    const server = await serve(({ path }) => (path === '/' ? answerOk() : text(endlessEvents())), { tls, limits: { connections: 3 } });
    const watch = await open(server);
    watch.send(head('GET /api/v1/pods?watch=1'));
    await watch.until(/event/);
    for (let i = 0; i < 10; i++) await exchange(await open(server));
    expect(watch.socket.destroyed).toBe(false);
  });

  it('an address with a quarter of the limit without a request loses its own oldest one', async () => {
    const server = await serve(answerOk, { tls, limits: { connections: 80 } });
    const other = await connectSilently(server, '127.0.0.3');
    const silent: Socket[] = [];
    for (let i = 0; i < 22; i++) silent.push(await connectSilently(server, '127.0.0.2'));
    expect(await sendRequest(server, '/')).toMatchObject({ body: 'ok' });
    for (const socket of silent.splice(0, 2)) await closed(socket);
    expect([other, ...silent].filter((socket) => socket.destroyed)).toHaveLength(0);
  });
});

describe('a TLS connection', () => {
  it('is closed if the client ends it before the handshake', async () => {
    const server = await serve(answerOk, { tls: true });
    const socket = await connectSilently(server);
    socket.end();
    await closed(socket);
  });
});
