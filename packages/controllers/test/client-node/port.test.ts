import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createClock, flushPromises, isSettled } from '../../../apiserver/test/store/support.ts';
import { type ClientNodePort, createClientNodePort } from '../../src/client-node/index.ts';
import { createSettings } from '../../src/client-node/options.ts';
import { createWatch } from '../../src/client-node/port.ts';
import type { Transport } from '../../src/client-node/transport/transport.ts';
import {
  createConfigFor,
  createPortTo,
  errorOf,
  notFound,
  type ReceivedRequest,
  respondWithJson,
  respondWithText,
  startFakeServer,
} from './support.ts';

const { pods, nodes } = resources;
const widgets: Resource = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const key = { namespace: 'shop', name: 'web' };
const pod: ApiObject = { apiVersion: 'v1', kind: 'Pod', metadata: key };
const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** Runs the work against a fake server and returns the only request that the server received. */
async function captureRequest(work: (port: ClientNodePort) => Promise<unknown>): Promise<ReceivedRequest> {
  const server = await startFakeServer(respondWithJson({ kind: 'Pod', metadata: {}, items: [] }));
  await work(createPortTo(server.url));
  expect(server.requests).toHaveLength(1);
  return server.requests[0] as ReceivedRequest;
}

describe('a client port that sends requests', () => {
  it('sends authorization, user agent and accept headers', async () => {
    const { method, url, headers, body } = await captureRequest((port) => port.get(pods, key, { resourceVersion: '0' }));
    expect([method, url, body]).toEqual(['GET', '/api/v1/namespaces/shop/pods/web?resourceVersion=0', '']);
    expect(headers).toMatchObject({
      authorization: 'Bearer secret',
      'user-agent': `kube-endpoints/${version}`,
      accept: 'application/json',
      connection: 'keep-alive',
    });
    expect(headers).not.toHaveProperty('content-length');
  });

  it.each([
    [{ gitVersion: 'v1.29.3+k3s1', major: '1' }, 'v1.29.3+k3s1'],
    [{ major: '1' }, undefined],
  ])('returns the version of a server that sends %j', async (body, expected) => {
    const server = await startFakeServer(respondWithJson(body));
    const port = createClientNodePort(createConfigFor(`${server.url}/k8s`));
    expect(await port.serverVersion()).toBe(expected);
    expect(server.requests).toMatchObject([{ method: 'GET', url: '/k8s/version' }]);
    port.close();
  });

  it('uses the path prefix of the server and the userAgent option', async () => {
    const server = await startFakeServer(respondWithJson(pod));
    const port = createClientNodePort(createConfigFor(`${server.url}/k8s/c-1/`), { userAgent: 'tester/1' });
    await port.get(nodes, { name: 'a' });
    port.close();
    expect(server.requests[0]).toMatchObject({
      url: '/k8s/c-1/api/v1/nodes/a',
      headers: { 'user-agent': 'tester/1', host: `127.0.0.1:${server.port}` },
    });
  });

  it.each([
    ['json', 'application/json-patch+json', [{ op: 'remove', path: '/spec' }]],
    ['merge', 'application/merge-patch+json', { spec: null }],
    ['strategic', 'application/strategic-merge-patch+json', { spec: { $patch: 'delete' } }],
  ] as const)('sends a patch with the content type of %s', async (type, contentType, patch) => {
    const { method, url, headers, body } = await captureRequest((port) =>
      port.patch(pods, key, patch, { type, subresource: 'status', fieldManager: 'me', force: true }),
    );
    expect([method, url]).toEqual(['PATCH', '/api/v1/namespaces/shop/pods/web/status?fieldManager=me']);
    expect([headers['content-type'], JSON.parse(body)]).toEqual([contentType, patch]);
  });

  it('adds apiVersion and kind to an apply patch', async () => {
    const { url, headers, body } = await captureRequest((port) =>
      port.patch(pods, key, { metadata: key }, { type: 'apply', fieldManager: 'me', force: true }),
    );
    expect(url).toBe('/api/v1/namespaces/shop/pods/web?fieldManager=me&force=true');
    expect([headers['content-type'], JSON.parse(body)]).toEqual(['application/apply-patch+yaml', pod]);
  });

  it('adds apiVersion and kind to a created object, and updates a subresource', async () => {
    const metadata = { ...key, annotations: { note: 'größer' } };
    const options = { dryRun: true, fieldValidation: 'Strict' } as const;
    const createRequest = await captureRequest((port) => port.create(widgets, { metadata }, options));
    expect([createRequest.method, createRequest.url]).toEqual([
      'POST',
      '/apis/example.com/v1/namespaces/shop/widgets?dryRun=All&fieldValidation=Strict',
    ]);
    expect(createRequest.headers['content-type']).toBe('application/json');
    expect(JSON.parse(createRequest.body)).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget', metadata });
    const updateRequest = await captureRequest((port) => port.update(widgets, { metadata }, { subresource: 'status' }));
    expect([updateRequest.method, updateRequest.url]).toEqual(['PUT', '/apis/example.com/v1/namespaces/shop/widgets/web/status']);
  });

  it('sends the object of a subresource unchanged', async () => {
    const binding = { metadata: key, target: { name: 'node-1' } };
    const { method, url, body } = await captureRequest((port) => port.create(pods, binding, { subresource: 'binding' }));
    expect([method, url, JSON.parse(body)]).toEqual(['POST', '/api/v1/namespaces/shop/pods/web/binding', binding]);
  });

  it('sends delete options in the body, if any', async () => {
    const requestWithoutOptions = await captureRequest((port) => port.delete(pods, key));
    expect([requestWithoutOptions.method, requestWithoutOptions.url, requestWithoutOptions.body]).toEqual([
      'DELETE',
      '/api/v1/namespaces/shop/pods/web',
      '',
    ]);
    const preconditions = { uid: 'u' };
    const { body } = await captureRequest((port) =>
      port.delete(pods, key, { preconditions, propagationPolicy: 'Orphan', gracePeriodSeconds: 0 }),
    );
    const options = { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions };
    expect(JSON.parse(body)).toEqual({ kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    const deleteCollectionRequest = await captureRequest((port) =>
      port.deleteCollection(pods, { namespace: 'shop', labelSelector: 'a' }, { dryRun: true }),
    );
    expect([deleteCollectionRequest.method, deleteCollectionRequest.url]).toEqual([
      'DELETE',
      '/api/v1/namespaces/shop/pods?labelSelector=a',
    ]);
    expect(JSON.parse(deleteCollectionRequest.body)).toMatchObject({ dryRun: ['All'] });
  });

  it('rejects invalid names without sending a request', async () => {
    const server = await startFakeServer(respondWithJson(pod));
    const port = createPortTo(server.url);
    await expect(port.delete(pods, { namespace: 'shop', name: '' })).rejects.toThrow(RangeError);
    await expect(port.update(pods, { metadata: { name: 'web' } })).rejects.toThrow('has no namespace');
    expect(server.requests).toEqual([]);
  });
});

describe('a client port that receives responses', () => {
  it('returns the body of a response unchanged', async () => {
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7', continue: 'c' }, items: [{ metadata: key }] };
    const server = await startFakeServer(respondWithJson(list));
    expect(await createPortTo(server.url).list(pods, { limit: 1 })).toEqual(list);
  });

  it.each([
    ['null items', { metadata: { resourceVersion: '7' }, items: null }, '7'],
    ['a Status', { kind: 'Status', status: 'Success', metadata: {} }, ''],
  ])('normalizes %s to an empty list', async (_, body, resourceVersion) => {
    const server = await startFakeServer(respondWithJson(body));
    const port = createPortTo(server.url);
    for (const list of [await port.list(pods), await port.deleteCollection(pods)]) {
      expect(list).toMatchObject({ items: [], metadata: { resourceVersion } });
    }
  });

  it('converts the Status of a delete to the deleted object', async () => {
    const status = { kind: 'Status', status: 'Success', metadata: {}, details: { name: 'web', kind: 'pods', uid: 'u' } };
    const server = await startFakeServer(respondWithJson(status));
    expect(await createPortTo(server.url).delete(pods, key)).toEqual({ ...pod, metadata: { ...key, uid: 'u' } });
  });

  it('decompresses lists, which it requests with gzip unless that is disabled', async () => {
    const items = [{ metadata: { name: 'ö'.repeat(1000) } }];
    const server = await startFakeServer(({ headers }, response) => {
      const body = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1' }, items }));
      if (headers['accept-encoding'] !== 'gzip') return response.end(body);
      return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body));
    });
    expect((await createPortTo(server.url).list(pods)).items).toEqual(items);
    expect((await createPortTo(server.url, { gzip: false }).list(pods)).items).toEqual(items);
    await createPortTo(server.url).get(pods, key);
    expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', undefined, undefined]);
  });
});

describe('a client port that fails', () => {
  it('rejects with the Status of the response', async () => {
    const server = await startFakeServer(respondWithJson(notFound, 404));
    const error = await errorOf(createPortTo(server.url).get(pods, key));
    expect(error).toMatchObject({ name: 'ApiError', code: 404, reason: 'NotFound', message: notFound.message, status: notFound });
  });

  it.each([
    [
      'an HTML page',
      respondWithText('<h1>no</h1>', 502),
      { code: 502, reason: 'InternalError', message: expect.stringContaining('502 Bad Gateway (no)') },
    ],
    ['an empty body', respondWithText('', 504), { code: 504, reason: 'Timeout', message: expect.stringContaining('(an empty answer)') }],
    ['a truncated Status', respondWithText('{"kind":"Status"', 500), { code: 500, reason: 'InternalError' }],
    ['a redirect', respondWithText('', 302, { Location: 'https://other.example' }), { code: 302, reason: 'Unknown' }],
    [
      'a Retry-After header',
      respondWithJson({ ...notFound, code: 429, reason: 'TooManyRequests', details: undefined }, 429, { 'Retry-After': '3' }),
      { code: 429, reason: 'TooManyRequests', status: expect.objectContaining({ details: { retryAfterSeconds: 3 } }) },
    ],
  ])('rejects with an ApiError for a failed response with %s', async (_, handler, expected) => {
    const server = await startFakeServer(handler);
    const port = createPortTo(server.url);
    expect(await errorOf(port.list(pods))).toMatchObject({ name: 'ApiError', ...expected });
    const watchError = await errorOf(port.watch(pods)[Symbol.asyncIterator]().next());
    expect(watchError).toMatchObject({ name: 'ApiError', ...expected });
  });

  it.each([
    ['an HTML page', respondWithText('<html>Log in</html>'), '(Log in)'],
    ['an empty body', respondWithText(''), '(an empty answer)'],
    [
      'invalid gzip data',
      respondWithText('{}', 200, { 'Content-Encoding': 'gzip' }),
      'the answer with 200 cannot be read: incorrect header check',
    ],
  ])('rejects if a successful response cannot be read: %s', async (_, handler, message) => {
    const server = await startFakeServer(handler);
    const error = await errorOf(createPortTo(server.url).list(pods));
    expect(error).toMatchObject({ name: 'Error', code: 'EBADMSG', message: expect.stringContaining(message) });
  });

  it('rejects with errors that contain the request but never the token', async () => {
    const server = await startFakeServer((_, __, socket) => socket.destroy());
    const error = await errorOf(createPortTo(server.url).list(pods, { labelSelector: 'a' }));
    expect(error).toMatchObject({ message: 'GET /api/v1/pods: socket hang up', code: 'ECONNRESET' });
    const connectionError = await errorOf(createPortTo('http://127.0.0.1:1').create(pods, pod));
    expect(connectionError).toMatchObject({
      message: 'POST /api/v1/namespaces/shop/pods: connect ECONNREFUSED 127.0.0.1:1',
      code: 'ECONNREFUSED',
    });
    expect(JSON.stringify([error, error.stack, connectionError, connectionError.stack])).not.toContain('secret');
  });

  it('rejects invalid options when it is created', () => {
    expect(() => createClientNodePort(createConfigFor('http://127.0.0.1'), { timeout: 0 })).toThrow(RangeError);
    expect(() => createClientNodePort(createConfigFor('unix:///tmp/socket'))).toThrow('"unix:///tmp/socket" is not an address');
  });
});

describe('a closed client port', () => {
  it('aborts calls in progress and rejects new ones', async () => {
    const server = await startFakeServer(({ url }, response) => {
      if (url.includes('watch')) response.write(`${JSON.stringify({ type: 'ADDED', object: pod })}\n`);
    });
    const port = createPortTo(server.url, { maxSockets: 1 });
    const iterator = port.watch(pods)[Symbol.asyncIterator]();
    await iterator.next();
    const calls = [iterator.next(), port.get(pods, key), port.get(pods, key)].map(errorOf);
    port.close();
    for (const error of await Promise.all(calls)) expect(error.message).toContain('the client port was closed');
    expect((await errorOf(port.get(pods, key))).message).toBe('GET /api/v1/namespaces/shop/pods/web: the client port is closed');
  });
});

function setUp(options: { readonly signal?: AbortSignal; readonly timeoutSeconds?: number }, stream?: Transport['stream']) {
  const clock = createClock();
  const signals: AbortSignal[] = [];
  const openStream: Transport['stream'] = async ({ signal }) => {
    signals.push(signal);
    return new PassThrough() as unknown as IncomingMessage;
  };
  const watch = createWatch(
    { stream: stream ?? openStream },
    { path: '/api/v1/pods?watch=true', options, settings: createSettings({ clock }) },
  );
  return { clock, signals, watch };
}

describe('createWatch', () => {
  it('opens a connection for each iterator', async () => {
    const { watch, signals } = setUp({});
    const iterators = [watch[Symbol.asyncIterator](), watch[Symbol.asyncIterator]()];
    for (const iterator of iterators) void iterator.next();
    await flushPromises();
    expect(signals).toHaveLength(2);
    await iterators[0]?.return?.();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('times out if the server does not end the watch', async () => {
    const { watch, clock, signals } = setUp({ timeoutSeconds: 60 });
    const next = watch[Symbol.asyncIterator]().next();
    await flushPromises();
    clock.advance(89_999);
    expect(await isSettled(next)).toBe(false);
    clock.advance(1);
    expect(await errorOf(next)).toMatchObject({ message: 'GET /api/v1/pods: the watch was not ended within 90 s', code: 'ETIMEDOUT' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('cancels its timer when the iterator returns', async () => {
    const { watch, clock } = setUp({ timeoutSeconds: 60 });
    const iterator = watch[Symbol.asyncIterator]();
    const next = iterator.next();
    await flushPromises();
    expect(clock.scheduled).toBe(1);
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.scheduled).toBe(0);
  });

  it('stops connecting once its iterator returns', async () => {
    const signals: AbortSignal[] = [];
    const { watch } = setUp({}, ({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const iterator = watch[Symbol.asyncIterator]();
    const next = iterator.next();
    await iterator.return?.();
    expect(signals[0]?.aborted).toBe(true);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
