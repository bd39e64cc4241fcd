import { ApiError, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, Route } from '../../src/http/exchange.ts';
import { conflict, notFound } from '../../src/store/index.ts';
import { createClock } from '../store/support.ts';
import { connectTo, deferred, head, parseStatus, sendRequest, serve, text } from './support.ts';

describe('a request with two Host headers', () => {
  it('is refused like by Go, and the connection is closed', async () => {
    const paths: string[] = [];
    const server = await serve(({ path }) => {
      paths.push(path);
      return text('ok');
    });
    const client = connectTo(server);
    client.send(head('GET /first') + head('GET /second', { host: 'other' }) + head('GET /third'));
    const [first, second, third] = (await client.closed).split(/(?=HTTP\/1\.1)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n.*ok$/s);
    expect(second).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/plain; charset=utf-8\r\nConnection: close\r\n.*400 Bad Request/s,
    );
    expect(third).toBeUndefined();
    expect(paths).toStrictEqual(['/first']);
  });

  it('is refused even if both have the same value', async () => {
    const server = await serve(() => text('ok'));
    const client = connectTo(server);
    client.send(head('GET /', { HOST: 'localhost' }));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('requests', () => {
  it('reach the route with method, path, query, headers and body unchanged', async () => {
    let seen: HttpRequest | undefined;
    const route: Route = async (request) => {
      seen = request;
      return text(new TextDecoder().decode(await request.body()));
    };
    const server = await serve(route);
    const reply = await sendRequest(server, '/a%2Fb/c?x=1&x=%C3%A4&__proto__=y', {
      method: 'POST',
      body: 'grüß',
      headers: { 'X-Some': 'thing' },
    });
    expect(reply.body).toBe('grüß');
    expect(seen).toMatchObject({ method: 'POST', path: '/a%2Fb/c', headers: { 'x-some': 'thing' } });
    expect(seen?.query.getAll('x')).toEqual(['1', 'ä']);
    expect(seen?.query.get('__proto__')).toBe('y');
    expect(await seen?.body()).toEqual(Buffer.from('grüß'));
    expect(seen?.signal.aborted).toBe(false);
  });

  it('accept an absolute URL or an asterisk as the request target', async () => {
    const server = await serve(({ path, query }) => text(`${path} ${query}`));
    const client = connectTo(server);
    client.send(head('GET http://localhost:1/a/b?c=d') + head('GET http://localhost') + head('OPTIONS *', { Connection: 'close' }));
    expect((await client.closed).split('\r\n').filter((line) => line.startsWith('/'))).toEqual([
      expect.stringMatching(/^\/a\/b c=dHTTP/),
      expect.stringMatching(/^\/ HTTP/),
      '/* ',
    ]);
  });

  it('on one connection are handled one at a time, in the order they were sent', async () => {
    const first = deferred();
    const started: string[] = [];
    const server = await serve(async ({ path }) => {
      started.push(path);
      if (path === '/1') await first.promise;
      return text(`answer to ${path};`);
    });
    const [client, other] = [connectTo(server), connectTo(server)];
    client.send(['/1', '/2', '/3'].map((path) => head(`GET ${path}`)).join(''));
    other.send(head('GET /4'));
    await other.until(/answer to \/4/);
    expect(started).toEqual(['/1', '/4']);
    first.resolve();
    expect((await client.until(/answer to \/3/)).match(/answer to ..(?=;)/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3']);
  });

  it('close the connection when too many are pipelined', async () => {
    const { promise } = deferred<never>();
    const requests: HttpRequest[] = [];
    const server = await serve((request) => {
      requests.push(request);
      // Creates the signal, which is lazy.
      void request.signal;
      return promise;
    });
    const client = connectTo(server);
    client.send(head('GET /').repeat(110));
    expect(await client.closed).toBe('');
    expect(requests).toHaveLength(1);
    expect(requests[0]?.signal.aborted).toBe(true);
  });
});

describe('answers', () => {
  it('carry their Content-Length in bytes', async () => {
    const large = 'ä'.repeat(100_000);
    const server = await serve(({ path }) => text(path === '/large' ? large : path === '/bytes' ? Uint8Array.of(104, 105) : 'grüß'));
    expect(await sendRequest(server, '/')).toMatchObject({
      headers: { 'content-length': '6', 'content-type': 'text/plain' },
      body: 'grüß',
    });
    expect(await sendRequest(server, '/bytes')).toMatchObject({ headers: { 'content-length': '2' }, body: 'hi' });
    expect(await sendRequest(server, '/large')).toMatchObject({ headers: { 'content-length': '200000' }, body: large });
    expect(await sendRequest(server, '/', { method: 'HEAD' })).toMatchObject({ code: 200, headers: { 'content-length': '6' }, body: '' });
  });

  it('disable caching unless the route sets Cache-Control', async () => {
    const server = await serve(({ path }) => ({ code: 200, headers: path === '/own' ? { 'Cache-Control': 'public' } : {}, body: '' }));
    expect((await sendRequest(server, '/')).headers['cache-control']).toBe('no-cache, private');
    expect((await sendRequest(server, '/own')).headers['cache-control']).toBe('public');
  });

  it('carry several headers with the same name', async () => {
    const server = await serve(() => ({ code: 201, headers: { Warning: ['299 - "a"', '299 - "b"'] }, body: '' }));
    expect(await sendRequest(server, '/')).toMatchObject({ code: 201, headers: { warning: '299 - "a", 299 - "b"' } });
  });

  it('carry the bytes of Warning headers unchanged for any body', async () => {
    const bytes = Buffer.from('299 - "\u00e9\ufffd"').toString('latin1');
    for (const body of ['', 'é', 'é'.repeat(20_000)]) {
      const server = await serve(() => ({ code: 200, headers: { Warning: [bytes] }, body }));
      const answer = await sendRequest(server, '/');
      expect(answer.headers.warning).toBe(bytes);
      expect(answer.body).toBe(body);
    }
  });

  it('are a Status if the route throws an ApiError', async () => {
    const server = await serve(({ path }) => {
      if (path === '/sync') throw notFound(resources.pods, 'p');
      return Promise.reject(conflict(resources.pods, 'p', 'no'));
    });
    expect(await sendRequest(server, '/sync')).toMatchObject({ code: 404, headers: { 'content-type': 'application/json' } });
    expect(parseStatus(await sendRequest(server, '/async'))).toMatchObject({ kind: 'Status', reason: 'Conflict', code: 409 });
  });

  it('carry Retry-After if the Status has retryAfterSeconds', async () => {
    const server = await serve(() => {
      const details = { retryAfterSeconds: 7 };
      throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 429, details });
    });
    expect(await sendRequest(server, '/')).toMatchObject({ code: 429, headers: { 'retry-after': '7' } });
  });

  it('are 404 if no route serves the path', async () => {
    const server = await serve(() => undefined);
    expect(await sendRequest(server, '/nope')).toMatchObject({
      code: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      body: '404 page not found\n',
    });
  });

  it('hide unexpected errors from the client and report them to onError', async () => {
    const errors: unknown[] = [];
    const server = await serve(
      ({ path }) => {
        if (path === '/sync') throw new TypeError('one');
        if (path === '/async') return Promise.reject(new TypeError('two'));
        return { code: 200, headers: { 'X-Broken': 'a\nb' }, body: 'three' };
      },
      {
        onError(error, request) {
          errors.push([(error as Error).message, request?.path]);
          throw new Error('and that as well');
        },
      },
    );
    for (const path of ['/sync', '/async', '/header']) {
      expect(parseStatus(await sendRequest(server, path))).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'This request caused apiserver to panic. Look in the logs for details.',
        reason: 'InternalError',
        details: {},
        code: 500,
      });
    }
    expect(errors).toEqual([
      ['one', '/sync'],
      ['two', '/async'],
      [expect.stringContaining('X-Broken'), '/header'],
    ]);
  });
});

describe('streams', () => {
  it('send each piece to the client as soon as it is available', async () => {
    const [first, second] = [deferred<string>(), deferred<string>()];
    async function* pieces(): AsyncGenerator<string> {
      yield await first.promise;
      yield await second.promise;
    }
    const server = await serve(() => text(pieces()));
    const client = connectTo(server);
    client.send(head('GET /?watch=1'));
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Transfer-Encoding: chunked/);
    first.resolve('one\n');
    await client.until(/4\r\none\n\r\n$/);
    second.resolve('two\n');
    await client.until(/4\r\ntwo\n\r\n0\r\n\r\n$/);
  });

  it('are read only as fast as the client reads, and stopped if it stalls for the request timeout', async () => {
    const stopped = deferred<number>();
    let yielded = 0;
    // Larger than the connection's buffers: otherwise the number of pieces sent before backpressure is not deterministic.
    const piece = 'x'.repeat(50_000_000);
    async function* endlessPieces(): AsyncGenerator<string> {
      try {
        for (;;) {
          yielded += 1;
          yield piece;
        }
      } finally {
        stopped.resolve(yielded);
      }
    }
    const clock = createClock();
    const server = await serve(() => text(endlessPieces()), { clock });
    const client = connectTo(server);
    client.socket.pause();
    client.send(head('GET /api/v1/pods?watch=true'));
    // While the client does not read, the server waits until the write timeout.
    while (clock.scheduled === 0) await new Promise(setImmediate);
    clock.advance(59_999);
    await new Promise(setImmediate);
    expect(yielded).toBe(1);
    clock.advance(1);
    expect(await stopped.promise).toBe(1);
    expect(clock.scheduled).toBe(0);
  });

  it('send every piece in order to a client that reads', async () => {
    const pieces = Array.from({ length: 100 }, (_, index) => String(index).padStart(100_000, '.'));
    async function* yieldPieces(): AsyncGenerator<string> {
      yield* pieces;
    }
    const server = await serve(() => text(yieldPieces()));
    expect((await sendRequest(server, '/')).body).toBe(pieces.join(''));
  });

  it('abort their signal and are stopped when the client disconnects', async () => {
    const [nextCalled, ended] = [deferred(), deferred()];
    const server = await serve(({ signal }) => {
      const next = new Promise<IteratorResult<string>>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      const source: AsyncIterator<string> = {
        next() {
          nextCalled.resolve();
          return next;
        },
        return() {
          ended.resolve();
          return Promise.reject(new Error('cannot even stop'));
        },
      };
      return text({ [Symbol.asyncIterator]: () => source });
    });
    const client = connectTo(server);
    client.send(head('GET /'));
    await nextCalled.promise;
    client.socket.destroy();
    await ended.promise;
  });

  it('break the connection when they fail, so that the client does not accept a partial body', async () => {
    const reported = deferred<unknown>();
    async function* failingEvents(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('broken');
    }
    const server = await serve(() => text(failingEvents()), { onError: reported.resolve });
    await expect(sendRequest(server, '/')).rejects.toThrow(/aborted|hang up/);
    expect(await reported.promise).toEqual(new Error('broken'));
  });

  it('are stopped for a HEAD request without being read', async () => {
    const stopped = deferred();
    const source: AsyncIterator<string> = {
      next: () => Promise.reject(new Error('asked')),
      return: async () => {
        stopped.resolve();
        return { done: true, value: undefined };
      },
    };
    const server = await serve(() => text({ [Symbol.asyncIterator]: () => source }));
    expect(await sendRequest(server, '/', { method: 'HEAD' })).toMatchObject({ code: 200, body: '' });
    await stopped.promise;
  });

  it('are stopped without being read if the route answers after the request timed out', async () => {
    const clock = createClock();
    const [release, stopped] = [deferred(), deferred()];
    const source: AsyncIterator<string> = {
      next: () => Promise.reject(new Error('asked')),
      return: async () => {
        stopped.resolve();
        return { done: true, value: undefined };
      },
    };
    const server = await serve(
      async () => {
        await release.promise;
        return text({ [Symbol.asyncIterator]: () => source });
      },
      { clock },
    );
    const client = connectTo(server);
    client.send(head('GET /'));
    while (clock.scheduled === 0) await new Promise(setImmediate);
    clock.advance(60_000);
    await client.until(/Timeout/);
    release.resolve();
    await stopped.promise;
  });
});
