import { once } from 'node:events';
import { connect } from 'node:net';
import { ApiError } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest, Route } from '../../src/http/exchange.ts';
import { createServerState } from '../../src/server/index.ts';
import { createClock } from '../store/support.ts';
import { connectTo, deferred, head, parseStatus, sendRequest, serve, text } from './support.ts';

const sizeOfBody: Route = async (request) => text(String((await request.body()).length));

const nextTurn = (): Promise<unknown> => new Promise(setImmediate);

describe('bodies', () => {
  const limits = { bodyBytes: 1000 };
  const tooLarge =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
    '"message":"Request entity too large: limit is 1000","reason":"RequestEntityTooLarge","code":413}\n';

  it('are accepted up to the size limit', async () => {
    const server = await serve(sizeOfBody, { limits });
    expect((await sendRequest(server, '/', { method: 'POST', body: 'x'.repeat(1000) })).body).toBe('1000');
    expect(await sendRequest(server, '/', { method: 'POST', body: 'x'.repeat(1001) })).toMatchObject({ code: 413, body: tooLarge });
    const chunked = { 'Transfer-Encoding': 'chunked' };
    expect((await sendRequest(server, '/', { method: 'PUT', body: 'x'.repeat(1000), headers: chunked })).body).toBe('1000');
  });

  it('are refused before they are sent if Content-Length exceeds the limit', async () => {
    const server = await serve(sizeOfBody, { limits });
    const client = connectTo(server);
    client.send(head('POST /', { 'Content-Length': '1000000000000' }));
    expect(await client.until(/"code":413/)).toMatch(/Connection: close/);
  });

  it('are refused as soon as they exceed the limit, and not read any further', async () => {
    const clock = createClock();
    const server = await serve(sizeOfBody, { limits, clock });
    const client = connectTo(server);
    client.send(head('POST /', { 'Transfer-Encoding': 'chunked' }, `3e8\r\n${'x'.repeat(1000)}\r\n`));
    client.send('1\r\nx\r\n');
    expect(await client.until(/"code":413/)).toMatch(/Connection: close/);
    // The server discards input for a while, because a reset would prevent a client that is still writing from reading the answer.
    client.send('1\r\nx\r\n');
    expect(clock.scheduled).toBe(2);
    clock.advance(500);
    await client.closed;
  });

  it('are discarded if the route does not read them; large ones close the connection', async () => {
    const server = await serve(() => undefined);
    const client = connectTo(server);
    client.send(head('POST /', { 'Content-Length': '5' }, 'hello') + head('GET /', { Connection: 'close' }));
    expect((await client.closed).match(/404 Not Found/g)).toHaveLength(2);
    const other = connectTo(server);
    other.send(head('POST /', { 'Content-Length': '300000' }));
    expect(await other.until(/404 page/)).toMatch(/Connection: close/);
    other.send('x'.repeat(300_000));
    await other.closed;
  });

  it('are requested by 100 Continue only if the request is accepted', async () => {
    const server = await serve(sizeOfBody, { limits });
    const expectContinue = { Expect: '100-continue' };
    const accepted = connectTo(server);
    accepted.send(head('POST /', { ...expectContinue, 'Content-Length': '5' }));
    await accepted.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    accepted.send('hello');
    await accepted.until(/\r\n\r\n5$/);
    const refused = connectTo(server);
    refused.send(head('POST /', { ...expectContinue, 'Content-Length': '1001' }));
    expect(await refused.until(/"code":413/)).not.toMatch(/100 Continue/);
    const unauthenticated = connectTo(server);
    unauthenticated.send(head('POST /', { ...expectContinue, 'Content-Length': '5', Authorization: 'Bearer x' }));
    expect(await unauthenticated.until(/"code":401/)).not.toMatch(/100 Continue/);
  });

  it('fail in the route as BadRequest if the client disconnects, and are not reported to onError', async () => {
    const [bodyRequested, failed] = [deferred(), deferred<unknown>()];
    const errors: unknown[] = [];
    const server = await serve(
      async (request) => {
        const body = request.body();
        bodyRequested.resolve();
        await body.catch(failed.resolve);
        return text(String(await body));
      },
      { onError: (error) => errors.push(error) },
    );
    const client = connectTo(server);
    client.send(head('POST /', { 'Content-Length': '10' }, 'half'));
    await bodyRequested.promise;
    client.socket.resetAndDestroy();
    const error = await failed.promise;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(errors).toEqual([]);
  });

  it('that the route does not await may fail without an effect', async () => {
    const server = await serve((request) => {
      void request.body();
      return text('done');
    });
    const client = connectTo(server);
    client.send(head('POST /', { 'Content-Length': '10' }, 'half'));
    await client.until(/done/);
    client.socket.resetAndDestroy();
    expect((await sendRequest(server, '/')).body).toBe('done');
  });
});

describe('headers', () => {
  it('are refused with 431 if they exceed the size limit', async () => {
    const server = await serve(() => text('ok'), { limits: { headerBytes: 2000 } });
    const client = connectTo(server);
    client.send(head('GET /', { 'X-Large': 'x'.repeat(2000) }));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('time out with 408, even on a connection without any input', async () => {
    const server = await serve(() => text('ok'), { limits: { headerMs: 20 } });
    const [slow, silent] = [connectTo(server), connectTo(server)];
    slow.send('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /);
    expect(await silent.closed).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('are refused with 400 if malformed', async () => {
    const server = await serve(() => text('ok'));
    const client = connectTo(server);
    client.send('hello\r\n\r\n');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /);
    expect((await sendRequest(server, '/')).body).toBe('ok');
  });
});

describe('connections', () => {
  it('are kept alive until the idle timeout', async () => {
    const server = await serve(() => text('ok'), { limits: { keepAliveMs: 20 } });
    const client = connectTo(server);
    client.send(head('GET /'));
    expect(await client.closed).toMatch(/Connection: keep-alive\r\n(?:.*\r\n)*ok$/);
  });

  it('are refused over the limit while all other connections are in use', async () => {
    const release: (() => void)[] = [];
    const route: Route = () => new Promise((resolve) => void release.push(() => resolve(text('ok'))));
    const server = await serve(route, { limits: { connections: 2 } });
    const [one, two] = [connectTo(server), connectTo(server)];
    for (const client of [one, two]) client.send(head('GET /'));
    while (release.length < 2) await nextTurn();
    expect(await connectTo(server).closed).toBe('');
    for (const answer of release.splice(0)) answer();
    await Promise.all([one.until(/ok$/), two.until(/ok$/)]);
  });

  it('that are idle are closed if a new one nearly reaches the limit', async () => {
    const server = await serve(() => text('ok'), { limits: { connections: 10 } });
    for (let i = 0; i < 30; i++) {
      const client = connectTo(server);
      client.send(head('GET /'));
      const refused = client.closed.then((answer) =>
        Promise.reject(new Error(`connection ${i} was closed after ${JSON.stringify(answer)}`)),
      );
      await Promise.race([client.until(/ok$/), refused]);
    }
    expect((await sendRequest(server, '/')).body).toBe('ok');
  });

  it('are closed if the TLS handshake never starts', async () => {
    const server = await serve(() => text('ok'), { tls: true, limits: { headerMs: 20 } });
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    onTestFinished(() => void socket.destroy());
    socket.resume().on('error', () => undefined);
    await once(socket, 'close');
  });

  it('that the client half-closes are closed, and their requests aborted', async () => {
    const [received, aborted] = [deferred<HttpRequest>(), deferred()];
    const server = await serve((request) => {
      request.signal.addEventListener('abort', () => aborted.resolve());
      received.resolve(request);
      return new Promise<never>(() => undefined);
    });
    const client = connectTo(server);
    client.send(head('GET /'));
    const { signal } = await received.promise;
    client.socket.end();
    await client.closed;
    await aborted.promise;
    expect(signal.aborted).toBe(true);
  });
});

describe('the request timeout', () => {
  const createHangingRoute = (): { readonly route: Route; readonly received: Promise<HttpRequest> } => {
    const received = deferred<HttpRequest>();
    return {
      received: received.promise,
      route(request) {
        void request.signal;
        received.resolve(request);
        return new Promise<never>(() => undefined);
      },
    };
  };

  it('aborts a request and answers 504', async () => {
    const clock = createClock();
    const { route, received } = createHangingRoute();
    const server = await serve(route, { clock });
    const reply = sendRequest(server, '/api/v1/pods');
    const { signal } = await received;
    clock.advance(59_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(signal.aborted).toBe(true);
    expect(parseStatus(await reply)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within the allotted timeout',
      reason: 'Timeout',
      details: {},
      code: 504,
    });
  });

  it('is the timeout parameter of the request if that is shorter', async () => {
    const clock = createClock();
    const { route, received } = createHangingRoute();
    const server = await serve(route, { clock });
    const reply = sendRequest(server, '/api/v1/pods?timeout=1.5s');
    await received;
    clock.advance(1500);
    expect((await reply).code).toBe(504);
    expect(parseStatus(await sendRequest(server, '/?timeout=1x')).message).toBe(
      'invalid timeout specified in the request URL - time: unknown unit "x" in duration "1x"',
    );
  });

  it('does not apply to watches', async () => {
    const clock = createClock();
    const { route, received } = createHangingRoute();
    const server = await serve(route, { clock });
    const client = connectTo(server);
    client.send(head('GET /api/v1/pods?watch=true&timeout=1s'));
    const { signal } = await received;
    expect(clock.scheduled).toBe(0);
    expect(signal.aborted).toBe(false);
  });

  it('applies to a body that does not arrive', async () => {
    const clock = createClock();
    const server = await serve(sizeOfBody, { clock });
    const client = connectTo(server);
    client.send(head('POST /', { 'Transfer-Encoding': 'chunked' }, '5\r\nhel'));
    while (clock.scheduled === 0) await nextTurn();
    clock.advance(60_000);
    expect(await client.until(/"code":504/)).toMatch(/Connection: close/);
    clock.advance(500);
    await client.closed;
    await server.close();
    expect(clock.scheduled).toBe(0);
  });

  it('applies to an answer that the client does not read', async () => {
    const clock = createClock();
    const aborted = deferred();
    const server = await serve(
      ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        return text('x'.repeat(50_000_000));
      },
      { clock },
    );
    const client = connectTo(server);
    client.socket.pause();
    client.send(head('GET /'));
    while (clock.scheduled === 0) await nextTurn();
    clock.advance(60_000);
    await aborted.promise;
    while (clock.scheduled > 0) await nextTurn();
  });
});

describe('requests in flight', () => {
  it('are refused with 429 over the limit, which does not count watches', async () => {
    const state = createServerState();
    const release = deferred();
    const server = await serve(
      async ({ path }) => {
        if (path !== '/quick') await release.promise;
        return text('done');
      },
      { state, limits: { inFlight: 2 } },
    );
    const watch = connectTo(server);
    watch.send(head('GET /api/v1/pods?watch=1'));
    const slow = [sendRequest(server, '/api/v1/pods'), sendRequest(server, '/api/v1/namespaces/a/pods', { method: 'POST' })];
    while (state.inFlight.readOnly + state.inFlight.mutating < 2) await nextTurn();
    expect(state.inFlight).toEqual({ readOnly: 1, mutating: 1 });
    expect(await sendRequest(server, '/quick')).toMatchObject({
      code: 429,
      headers: { 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' },
      body: 'Too many requests, please try again later.\n',
    });
    release.resolve();
    for (const { body } of await Promise.all(slow)) expect(body).toBe('done');
    await watch.until(/done/);
    expect((await sendRequest(server, '/quick')).body).toBe('done');
    while (state.inFlight.readOnly + state.inFlight.mutating > 0) await nextTurn();
    expect(state.inFlight).toEqual({ readOnly: 0, mutating: 0 });
  });
});
