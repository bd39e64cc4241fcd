import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest } from '../../src/http/exchange.ts';
import { createOperationalRoutes, createServerState } from '../../src/server/index.ts';
import { createClock } from '../store/support.ts';
import { connectTo, deferred, head, sendRequest, serve, text } from './support.ts';

const nextTurn = (): Promise<unknown> => new Promise(setImmediate);

describe('close', () => {
  it('lets requests in flight finish', async () => {
    const [received, release] = [deferred(), deferred()];
    const server = await serve(async () => {
      received.resolve();
      await release.promise;
      return text('done');
    });
    const idle = connectTo(server);
    const slow = sendRequest(server, '/slow');
    await received.promise;
    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    await expect(sendRequest(server, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
    expect(closed).toBe(false);
    release.resolve();
    expect(await slow).toMatchObject({ code: 200, headers: { connection: 'close' }, body: 'done' });
    await closing;
    expect(await idle.closed).toBe('');
  });

  it('sends the complete answer that the route returned just before close() was called', async () => {
    let closing: Promise<void> | undefined;
    const server = await serve(() => {
      queueMicrotask(() => {
        closing = server.close();
      });
      return text('too old');
    });
    expect(await sendRequest(server, '/api/v1/pods?watch=true')).toMatchObject({ code: 200, body: 'too old' });
    await closing;
  });

  it('refuses new requests other than health checks', async () => {
    const state = createServerState();
    const operational = createOperationalRoutes({ state });
    const received = deferred();
    const server = await serve(
      (request) => {
        received.resolve();
        return operational(request) ?? new Promise<never>(() => undefined);
      },
      { state },
    );
    const [heldClient, ...others] = [connectTo(server), connectTo(server), connectTo(server), connectTo(server)];
    heldClient.send(head('GET /held'));
    await received.promise;
    // These requests are half sent when the server starts to close.
    for (const other of others) other.send('GET /');
    while (others.some(({ socket }) => socket.bytesWritten === 0)) await nextTurn();
    state.closing = true;
    others[0]?.send('readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    others[1]?.send('livez HTTP/1.1\r\nHost: x\r\n\r\n');
    others[2]?.send('api HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await others[0]?.closed).toMatch(
      /^HTTP\/1\.1 500 .*\[\+\]ping ok\n\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/s,
    );
    expect(await others[1]?.closed).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
    expect(await others[2]?.closed).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1.*apiserver is shutting down/s);
  });

  it('ends watches', async () => {
    const stopped = deferred();
    async function* endlessEvents(signal: AbortSignal): AsyncGenerator<string> {
      try {
        yield 'event';
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      } finally {
        stopped.resolve();
      }
    }
    const server = await serve(({ signal }) => text(endlessEvents(signal)));
    const client = connectTo(server);
    client.send(head('GET /api/v1/pods?watch=1'));
    await client.until(/event/);
    await server.close();
    await stopped.promise;
    expect(await client.closed).toMatch(/event\r\n0\r\n\r\n$/);
  });

  it('ends watches that have not begun and watches whose stream never ends', async () => {
    const received = [deferred<HttpRequest>(), deferred()] as const;
    const neverEnding: AsyncIterator<string> = { next: () => new Promise(() => undefined) };
    const server = await serve((request) => {
      if (request.path.endsWith('pods')) {
        received[0].resolve(request);
        return new Promise<never>(() => undefined);
      }
      received[1].resolve();
      return text({ [Symbol.asyncIterator]: () => neverEnding });
    });
    const [unansweredWatch, other] = [connectTo(server), connectTo(server)];
    unansweredWatch.send(head('GET /api/v1/pods?watch=1'));
    other.send(head('GET /api/v1/nodes?watch=1'));
    const { signal } = await received[0].promise;
    await received[1].promise;
    await server.close();
    expect(signal.aborted).toBe(true);
    expect(await unansweredWatch.closed).toMatch(/^HTTP\/1\.1 503 /);
    expect(await other.closed).toMatch(/\r\n0\r\n\r\n$/);
  });

  it('aborts the remaining requests after the drain time and leaves no timers', async () => {
    const clock = createClock();
    const received = deferred<HttpRequest>();
    const server = await serve(
      (request) => {
        // Creates the signal, which is lazy.
        void request.signal;
        received.resolve(request);
        return new Promise<never>(() => undefined);
      },
      { clock },
    );
    const [client, silent] = [connectTo(server), connectTo(server)];
    client.send(head('GET /'));
    silent.send('GET');
    const { signal } = await received.promise;
    const closing = server.close({ drainMs: 2000 });
    expect(server.close()).toBe(closing);
    clock.advance(1999);
    await nextTurn();
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    await closing;
    expect(signal.aborted).toBe(true);
    expect(await client.closed).toBe('');
    expect(await silent.closed).toBe('');
    expect(clock.scheduled).toBe(0);
    await expect(sendRequest(server, '/')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('does not wait for connections with an unfinished TLS handshake', async () => {
    const server = await serve(() => text('ok'), { tls: true });
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    onTestFinished(() => void socket.destroy());
    const disconnected = new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
    socket.resume();
    // Connections are accepted in order: after this request the server has accepted the silent one.
    await sendRequest(server, '/');
    await server.close();
    await disconnected;
  });
});
