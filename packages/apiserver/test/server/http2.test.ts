import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest, Route } from '../../src/http/exchange.ts';
import { createServerState, type Listening, type ListenOptions } from '../../src/server/index.ts';
import { createClock } from '../store/support.ts';
import { connectTo, deferred, sendRequest, serve, text } from './support.ts';

const nextTurn = (): Promise<unknown> => new Promise(setImmediate);

const serveTls = (route: Route, options: ListenOptions = {}): Promise<Listening> => serve(route, { tls: true, ...options });

function connectHttp2({ url, ca }: Listening): ClientHttp2Session {
  const session = connect(url, { ca });
  onTestFinished(() => session.destroy());
  session.on('error', () => undefined);
  return session;
}

type Headers = Readonly<Record<string, string | number>>;

/** Sends the headers of a request. A POST has a body, which the test sends. */
function open(session: ClientHttp2Session, path: string, headers: Headers = {}): ClientHttp2Stream {
  const stream = session.request(
    { ':path': path, authorization: 'Bearer secret', ...headers },
    { endStream: headers[':method'] !== 'POST' },
  );
  stream.on('error', () => undefined);
  return stream;
}

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly rstCode: number;
}

/** Resolves when the stream is closed. */
async function readReply(stream: ClientHttp2Stream): Promise<Reply> {
  let headers: IncomingHttpHeaders = {};
  let body = '';
  stream.on('response', (received) => {
    headers = received;
  });
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  await closed(stream);
  return { headers, body, rstCode: stream.rstCode };
}

async function send(session: ClientHttp2Session, path: string, headers: Headers = {}, body?: string): Promise<Reply> {
  const stream = open(session, path, headers);
  const reply = readReply(stream);
  if (headers[':method'] === 'POST') stream.end(body);
  return reply;
}

const post: Headers = { ':method': 'POST' };
const sizeOfBody: Route = async (request) => text(String((await request.body()).length));

const closed = (stream: ClientHttp2Stream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.on('close', resolve);
  });

/** A stream of one event that never ends by itself. */
function endlessEvents(onReturn: () => void = () => undefined): AsyncIterable<string> {
  const first = { value: 'event\n' };
  const results: Promise<IteratorResult<string>>[] = [Promise.resolve(first)];
  const next = (): Promise<IteratorResult<string>> => results.pop() ?? new Promise(() => undefined);
  const iterator = {
    next,
    return(): Promise<IteratorResult<string>> {
      onReturn();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

describe('a server with TLS', () => {
  it('speaks the protocol that the client prefers', async () => {
    const server = await serveTls(({ path, method, headers }) => text(`${method} ${path} ${headers['host']}`));
    const session = connectHttp2(server);
    expect((await send(session, '/over?http=2')).body).toBe(`GET /over 127.0.0.1:${server.port}`);
    expect(session.alpnProtocol).toBe('h2');
    expect((await sendRequest(server, '/over')).body).toBe(`GET /over 127.0.0.1:${server.port}`);
  });

  it('answers the requests of a connection at the same time', async () => {
    const release = deferred();
    const server = await serveTls(async ({ path }) => {
      if (path === '/slow') await release.promise;
      return text(path);
    });
    const session = connectHttp2(server);
    const slow = send(session, '/slow');
    expect((await send(session, '/fast')).body).toBe('/fast');
    release.resolve();
    expect((await slow).body).toBe('/slow');
  });

  it('sends the headers of HTTP/1.1, except those of the connection', async () => {
    const server = await serveTls(() => ({
      code: 201,
      headers: { 'Content-Type': 'text/plain', Warning: ['299 - "\xc3\xa4"', '299 - "b"'], Connection: 'keep-alive', Upgrade: 'x' },
      body: 'ok',
    }));
    const { headers } = await send(connectHttp2(server), '/', { 'audit-id': 'a-1' });
    expect(headers.date).toMatch(/GMT$/);
    expect(Object.fromEntries(Object.entries(headers))).toStrictEqual({
      date: headers.date,
      ':status': 201,
      'audit-id': 'a-1',
      'cache-control': 'no-cache, private',
      'content-type': 'text/plain',
      'content-length': '2',
      // The bytes of "ä" in UTF-8, as over HTTP/1.1.
      warning: '299 - "\xc3\xa4", 299 - "b"',
    });
  });

  it('answers HEAD without a body', async () => {
    const server = await serveTls(() => text('four'));
    const { headers, body } = await send(connectHttp2(server), '/', { ':method': 'HEAD' });
    expect([headers['content-length'], body]).toStrictEqual(['4', '']);
  });

  it('answers 500 if a header of the answer is invalid', async () => {
    const errors: unknown[] = [];
    const server = await serveTls(() => ({ code: 200, headers: { 'X-Bad': 'a\nb' }, body: '' }), {
      onError: (error) => errors.push(error),
    });
    expect((await send(connectHttp2(server), '/')).headers[':status']).toBe(500);
    expect(errors).toHaveLength(1);
  });

  it('sends large answers completely, several at the same time', async () => {
    const server = await serveTls(({ path }) => text((path[1] ?? '').repeat(20_000_000)));
    const session = connectHttp2(server);
    const replies = await Promise.all(['/a', '/b', '/c', '/d'].map((path) => send(session, path)));
    expect(replies.map(({ body }) => [body.length, body[0], body.at(-1)])).toStrictEqual(
      ['a', 'b', 'c', 'd'].map((letter) => [20_000_000, letter, letter]),
    );
  });

  it('counts requests in its metrics', async () => {
    const state = createServerState();
    const server = await serveTls(() => text('ok', 404), { state });
    await send(connectHttp2(server), '/api/v1/namespaces/a/pods', post);
    const [series] = state.requests.all();
    expect([series?.labels.verb, [...(series?.codes ?? [])]]).toStrictEqual(['POST', [[404, 1]]]);
  });

  it('resets the stream if the route fails with a broken connection', async () => {
    const server = await serveTls(async ({ path }) => {
      if (path === '/ok') return text('ok');
      throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
    });
    const session = connectHttp2(server);
    expect(await send(session, '/')).toMatchObject({ rstCode: constants.NGHTTP2_INTERNAL_ERROR });
    expect((await send(session, '/ok')).body).toBe('ok');
  });
});

describe('a body over HTTP/2', () => {
  const limits = { bodyBytes: 1_000_000 };

  it('is accepted up to the size limit, with or without a declared length', async () => {
    const session = connectHttp2(await serveTls(sizeOfBody, { limits }));
    const body = 'x'.repeat(1_000_000);
    expect((await send(session, '/', post, body)).body).toBe('1000000');
    expect((await send(session, '/', { ...post, 'content-length': 1_000_000 }, body)).body).toBe('1000000');
    expect((await send(session, '/', post)).body).toBe('0');
  });

  it('is refused if it exceeds the limit, and the connection stays open', async () => {
    const state = createServerState();
    const session = connectHttp2(await serveTls(sizeOfBody, { limits, state }));
    const declared = open(session, '/', { ...post, 'content-length': 1_000_000_000 });
    declared.write('x');
    expect(await readReply(declared)).toMatchObject({ headers: { ':status': 413 }, rstCode: constants.NGHTTP2_NO_ERROR });
    const endless = open(session, '/', post);
    endless.write('x'.repeat(1_000_001));
    expect(await readReply(endless)).toMatchObject({ headers: { ':status': 413 }, rstCode: constants.NGHTTP2_NO_ERROR });
    expect((await send(session, '/', post, 'hello')).body).toBe('5');
    while (state.inFlight.mutating > 0) await nextTurn();
  });

  it('is discarded if the route does not read it', async () => {
    const session = connectHttp2(await serveTls(() => text('done')));
    const unread = open(session, '/', post);
    unread.write('x'.repeat(500_000));
    expect(await readReply(unread)).toMatchObject({ body: 'done', rstCode: constants.NGHTTP2_NO_ERROR });
    expect((await send(session, '/', post, 'small')).body).toBe('done');
  });

  it('is requested by 100 Continue only if the request is accepted', async () => {
    const session = connectHttp2(await serveTls(sizeOfBody, { limits }));
    const accepted = open(session, '/', { ...post, expect: '100-continue' });
    const [continued] = await once(accepted, 'headers');
    expect(continued[':status']).toBe(100);
    const reply = readReply(accepted);
    accepted.end('hello');
    expect((await reply).body).toBe('5');
    const refused = open(session, '/', { ...post, expect: '100-continue', 'content-length': 1_000_001 });
    refused.on('headers', () => expect.unreachable());
    expect((await readReply(refused)).headers[':status']).toBe(413);
  });

  it('fails in the route if the client disconnects', async () => {
    const [requested, failed] = [deferred(), deferred<unknown>()];
    const server = await serveTls(async (request) => {
      const body = request.body();
      requested.resolve();
      await body.catch(failed.resolve);
      return text('');
    });
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: server.ca as string, ALPNProtocols: ['h2'] });
    const session = connect(server.url, { createConnection: () => socket });
    open(session, '/', post).write('half');
    await requested.promise;
    socket.destroy();
    expect(await failed.promise).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('that does not arrive in time is answered with 504', async () => {
    const clock = createClock(Date.now());
    const received = deferred();
    const server = await serveTls(
      (request) => {
        received.resolve();
        return sizeOfBody(request);
      },
      { clock },
    );
    const stream = open(connectHttp2(server), '/', post);
    stream.write('half');
    await received.promise;
    clock.advance(60_000);
    expect((await readReply(stream)).headers[':status']).toBe(504);
  });
});

describe('a watch over HTTP/2', () => {
  const watchPath = '/api/v1/pods?watch=1';

  it('ends promptly if the client resets its stream, and other streams continue', async () => {
    const [received, stopped] = [deferred<HttpRequest>(), deferred()];
    const server = await serveTls((request) => {
      if (request.path === '/') return text('ok');
      received.resolve(request);
      return text(endlessEvents(stopped.resolve));
    });
    const session = connectHttp2(server);
    const [watch, other] = [open(session, watchPath), open(session, watchPath)];
    await Promise.all([once(watch, 'data'), once(other, 'data')]);
    const { signal } = await received.promise;
    watch.close(constants.NGHTTP2_CANCEL);
    await stopped.promise;
    expect(signal.aborted).toBe(true);
    expect(other.closed).toBe(false);
    expect((await send(session, '/')).body).toBe('ok');
  });

  it('is read only as fast as the client reads, and closed if it stalls; other streams of the connection continue', async () => {
    const clock = createClock(Date.now());
    const stopped = deferred();
    let eventCount = 0;
    async function* events(): AsyncGenerator<string> {
      try {
        for (;;) {
          eventCount += 1;
          yield 'x'.repeat(10_000);
        }
      } finally {
        stopped.resolve();
      }
    }
    const server = await serveTls(({ path }) => (path === '/' ? text('y'.repeat(1_000_000)) : text(events())), { clock });
    const session = connectHttp2(server);
    const watch = open(session, watchPath);
    await once(watch, 'response');
    // The stream's window is exhausted: the client does not read.
    while (clock.scheduled < 2) await nextTurn();
    expect(eventCount).toBeLessThan(100);
    expect((await send(session, '/')).body).toHaveLength(1_000_000);
    clock.advance(60_000);
    await stopped.promise;
    watch.resume();
    await closed(watch);
    expect(watch.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  it('counts against the limit of streams per connection: further streams wait', async () => {
    const end = deferred();
    async function* limitedEvents(): AsyncGenerator<string> {
      yield 'event';
      await end.promise;
    }
    const server = await serveTls(({ path, query }) => {
      if (path === '/') return text('ok');
      return text(query.has('first') ? limitedEvents() : endlessEvents());
    });
    const session = connectHttp2(server);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).toBe(1000);
    const watches = Array.from({ length: 1000 }, (_, i) => open(session, `${watchPath}${i === 0 ? '&first' : ''}`));
    await Promise.all(watches.map((watch) => once(watch, 'data')));
    let isAnswered = false;
    const waiting = send(session, '/').then(({ body }) => {
      isAnswered = true;
      return body;
    });
    await new Promise((resolve) => session.ping(() => resolve(undefined)));
    expect(isAnswered).toBe(false);
    end.resolve();
    expect(await waiting).toBe('ok');
  });
});

/** Larger than what the operating system buffers for a connection. */
const largeAnswer = 'x'.repeat(32 * 2 ** 20);

interface ProxiedSession {
  readonly session: ClientHttp2Session;
  /** From now on, the server can only send what the operating system buffers. */
  stopReading(): void;
}

/** Connects through a proxy. The client's windows are so large that they limit nothing. */
async function connectThroughProxy(server: Listening): Promise<ProxiedSession> {
  const toServer = connectTcp(server.port, server.host);
  const proxy = createServer((toClient) => {
    toClient.on('error', () => undefined).pipe(toServer);
    toServer.on('error', () => undefined).pipe(toClient);
    onTestFinished(() => void toClient.destroy());
  });
  onTestFinished(() => void toServer.destroy());
  onTestFinished(() => void proxy.close());
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const session = connect(`https://127.0.0.1:${port}`, {
    ...(server.ca !== undefined && { ca: server.ca }),
    settings: { initialWindowSize: 2 ** 31 - 1 },
  });
  onTestFinished(() => session.destroy());
  session.on('error', () => undefined);
  await once(session, 'connect');
  session.setLocalWindowSize(2 ** 31 - 1);
  return { session, stopReading: () => void toServer.unpipe().pause() };
}

describe('an HTTP/2 connection', () => {
  it('is closed after an unauthorized request', async () => {
    const server = await serveTls(() => text('ok'));
    const session = connectHttp2(server);
    const isClosed = once(session, 'close');
    const wrong = { authorization: 'Bearer wrong' };
    const [first, second] = await Promise.all([send(session, '/', wrong), send(session, '/', wrong)]);
    expect([first?.headers[':status'], second?.rstCode]).toStrictEqual([401, constants.NGHTTP2_REFUSED_STREAM]);
    await isClosed;
  });

  it('is closed if no request arrives, and after an idle time, but not while a watch is open', async () => {
    const clock = createClock(Date.now());
    const server = await serveTls(({ path }) => (path === '/' ? text('ok') : text(endlessEvents())), { clock });
    const [silent, idle, busy] = [connectHttp2(server), connectHttp2(server), connectHttp2(server)];
    await Promise.all([once(silent, 'remoteSettings'), send(idle, '/'), once(open(busy, '/api/v1/pods?watch=1'), 'data')]);
    while (clock.scheduled === 0) await nextTurn();
    clock.advance(32_000);
    await once(silent, 'close');
    expect([idle.closed, busy.closed]).toStrictEqual([false, false]);
    clock.advance(58_000);
    if (!idle.closed) await once(idle, 'close');
    clock.advance(3_600_000);
    expect((await send(busy, '/')).body).toBe('ok');
  });

  it('is closed if its client reads nothing, so that its requests no longer count as in progress', async () => {
    const clock = createClock(Date.now());
    const state = createServerState();
    const server = await serveTls(({ path }) => text(path === '/' ? 'ok' : largeAnswer), { clock, state, limits: { inFlight: 3 } });
    const { session, stopReading } = await connectThroughProxy(server);
    expect((await send(session, '/')).body).toBe('ok');
    stopReading();
    for (let i = 0; i < 3; i++) open(session, '/large');
    while (state.inFlight.readOnly < 3) await nextTurn();
    expect((await send(connectHttp2(server), '/')).headers[':status']).toBe(429);
    // The answers time out, but their streams cannot be reset.
    clock.advance(60_000);
    clock.advance(60_000);
    while (state.inFlight.readOnly > 0) await nextTurn();
    expect((await send(connectHttp2(server), '/')).body).toBe('ok');
  });

  it('ends gracefully when the server closes: open requests are answered and watches end', async () => {
    const [received, release] = [deferred(), deferred()];
    const server = await serveTls(async ({ path }) => {
      if (path !== '/slow') return text(endlessEvents());
      received.resolve();
      await release.promise;
      return text('done');
    });
    const session = connectHttp2(server);
    const watch = open(session, '/api/v1/pods?watch=1');
    const watchReply = readReply(watch);
    await once(watch, 'response');
    const slow = send(session, '/slow');
    await received.promise;
    const goneAway = once(session, 'goaway');
    const closing = server.close();
    expect((await goneAway)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    expect(await watchReply).toMatchObject({ body: 'event\n', rstCode: constants.NGHTTP2_NO_ERROR });
    release.resolve();
    expect(await slow).toMatchObject({ headers: { ':status': 200 }, body: 'done', rstCode: constants.NGHTTP2_NO_ERROR });
    await closing;
  });

  it('leaves no timers after the server is closed', async () => {
    const clock = createClock(Date.now());
    const server = await serveTls(() => text('ok'), { clock });
    await send(connectHttp2(server), '/');
    await server.close();
    expect(clock.scheduled).toBe(0);
  });

  it('with requests in progress is not closed when there are too many connections, an idle one is', async () => {
    const server = await serveTls(({ path }) => (path === '/' ? text('ok') : text(endlessEvents())), {
      limits: { connections: 3 },
    });
    const watching = connectHttp2(server);
    await once(open(watching, '/api/v1/pods?watch=1'), 'data');
    const idle = connectHttp2(server);
    await send(idle, '/');
    for (let i = 0; i < 3; i++) expect((await send(connectHttp2(server), '/')).body).toBe('ok');
    if (!idle.closed) await once(idle, 'close');
    expect(watching.closed).toBe(false);
    expect((await send(watching, '/')).body).toBe('ok');
  });

  it('is closed if its client resets too many requests, and others are served', async () => {
    const server = await serveTls(({ path }) => (path === '/' ? text('ok') : new Promise<never>(() => undefined)));
    const [hostile, other] = [connectHttp2(server), connectHttp2(server)];
    await once(hostile, 'remoteSettings');
    const isClosed = new Promise((resolve) => hostile.on('close', resolve));
    const attack = async (): Promise<void> => {
      for (let count = 0; count < 1_000_000 && !hostile.closed; count += 50) {
        const streams = Array.from({ length: 50 }, () => open(hostile, '/unanswered'));
        // The client does not send a request that is reset in the same turn.
        for (let turn = 0; turn < 3; turn++) await nextTurn();
        for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
      }
    };
    void attack();
    expect((await send(other, '/')).body).toBe('ok');
    await isClosed;
  });

  it('refuses headers that exceed the limit', async () => {
    const session = connectHttp2(await serveTls(() => text('ok'), { limits: { headerBytes: 2000 } }));
    expect(await send(session, '/', { 'x-large': 'x'.repeat(2000) })).toMatchObject({ rstCode: constants.NGHTTP2_ENHANCE_YOUR_CALM });
    expect((await send(session, '/')).body).toBe('ok');
  });

  it('resets streams with a malformed path, like the server of Go', async () => {
    const session = connectHttp2(await serveTls(() => text('ok')));
    for (const path of ['/%zz', '/%41%4', '/a%?b=%20'])
      expect(await send(session, path)).toMatchObject({ rstCode: constants.NGHTTP2_PROTOCOL_ERROR });
    for (const path of ['/%41', '/a?b=%zz']) expect((await send(session, path)).body).toBe('ok');
  });

  it('is not offered without TLS', async () => {
    const server = await serve(() => text('ok'));
    const client = connectTo(server);
    client.send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 (400|505) /);
  });
});

it('passes each value of a repeated header', async () => {
  const server = await serveTls(({ user }) => text(JSON.stringify(user)));
  const session = connectHttp2(server);
  const headers = { 'impersonate-user': 'bob', 'impersonate-group': ['a, b', 'c'] };
  const stream = session.request({ ':path': '/api', authorization: 'Bearer secret', ...headers });
  expect(JSON.parse((await readReply(stream)).body)).toMatchObject({ username: 'bob', groups: ['a, b', 'c', 'system:authenticated'] });
});
