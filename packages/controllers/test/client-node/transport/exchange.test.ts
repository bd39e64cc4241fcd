import { createServer } from 'node:net';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../../../apiserver/test/store/support.ts';
import { type ClientNodePort, createClientNodePort } from '../../../src/client-node/index.ts';
import { parseServer } from '../../../src/client-node/transport/exchange.ts';
import { createConfigFor, createPortTo, errorOf, listenOnLoopback, respondWithJson, startFakeServer, waitUntil } from '../support.ts';

const { pods } = resources;
const key = { namespace: 'shop', name: 'web' };
const requestText = 'GET /api/v1/namespaces/shop/pods/web';

describe('startExchange', () => {
  it('times out if no response arrives', async () => {
    const server = await startFakeServer(() => undefined);
    const error = await errorOf(createPortTo(server.url, { timeout: 20 }).get(pods, key));
    expect(error).toMatchObject({ message: `${requestText}: no answer within 0.02 s`, code: 'ETIMEDOUT' });
  });

  it('times out if a response stalls', async () => {
    const server = await startFakeServer((_, response) => void response.write('{"kind":'));
    const error = await errorOf(createPortTo(server.url, { timeout: 50 }).get(pods, key));
    expect(error).toMatchObject({
      message: expect.stringMatching(/: (no answer|nothing more was received) within 0\.05 s$/),
      code: 'ETIMEDOUT',
    });
  });

  it('rejects if the connection breaks during a response', async () => {
    const server = await startFakeServer((_, response, socket) => response.write('{"kind":', () => socket.destroy()));
    expect(await errorOf(createPortTo(server.url).get(pods, key))).toMatchObject({
      message: `${requestText}: aborted`,
      code: 'ECONNRESET',
    });
  });
});

it.each([
  ['a call', (port: ClientNodePort) => port.get(pods, key)],
  ['a watch', (port: ClientNodePort) => port.watch(pods)[Symbol.asyncIterator]().next()],
])('%s times out if no connection is established', async (_, sendRequest) => {
  // Accepts connections but never answers the TLS handshake.
  let connections = 0;
  const silentServer = createServer((socket) => {
    connections += 1;
    onTestFinished(() => void socket.destroy());
  });
  const clock = createClock();
  const port = createClientNodePort(createConfigFor(`https://127.0.0.1:${await listenOnLoopback(silentServer)}`), { clock });
  onTestFinished(() => port.close());
  const error = errorOf(sendRequest(port));
  await waitUntil(() => connections === 1 && clock.scheduled === 1);
  clock.advance(10_000);
  expect(await error).toMatchObject({ message: expect.stringContaining(': no connection within 10 s'), code: 'ETIMEDOUT' });
});

describe('aborting a signal', () => {
  const reason = new Error('enough');

  it('ends a call without a response, and a call that waits for a connection', async () => {
    const server = await startFakeServer(() => undefined);
    const port = createPortTo(server.url, { maxSockets: 1 });
    const controller = new AbortController();
    const calls = [port.get(pods, key, { signal: controller.signal }), port.get(pods, key, { signal: controller.signal })].map(errorOf);
    await waitUntil(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await Promise.all(calls)).toEqual([reason, reason]);
    expect(server.requests).toHaveLength(1);
  });

  it('ends a call during its response and no other call', async () => {
    const server = await startFakeServer(({ url }, response, socket) => {
      if (url.endsWith('/web')) response.write('{"kind":');
      else respondWithJson({ kind: 'Pod' })({} as never, response, socket);
    });
    const port = createPortTo(server.url);
    const controller = new AbortController();
    const call = errorOf(port.get(pods, key, { signal: controller.signal }));
    await waitUntil(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await port.get(pods, { ...key, name: 'other' })).toEqual({ kind: 'Pod' });
  });

  it('ends a watch during an event', async () => {
    const server = await startFakeServer((_, response) => void response.write('{"type":"ADDED","object":{"metadata":{}}}\n{"type":'));
    const controller = new AbortController();
    const iterator = createPortTo(server.url).watch(pods, { signal: controller.signal })[Symbol.asyncIterator]();
    await iterator.next();
    const next = errorOf(iterator.next());
    controller.abort(reason);
    expect(await next).toBe(reason);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a client port with kept-alive connections', () => {
  /** Answers the first request on each connection and drops the connection on the second. */
  const startServerThatAnswersOnce = () => {
    const usedSockets = new WeakSet<object>();
    return startFakeServer((requests, response, socket) => {
      if (usedSockets.has(socket)) return socket.destroy();
      usedSockets.add(socket);
      return respondWithJson({ kind: 'Pod' })(requests, response, socket);
    });
  };

  it('retries a read if the connection is stale', async () => {
    const server = await startServerThatAnswersOnce();
    const port = createPortTo(server.url);
    for (let i = 0; i < 3; i++) expect(await port.get(pods, key)).toEqual({ kind: 'Pod' });
    // The second read is sent twice: on the kept-alive connection, then on a fresh one.
    expect(server.requests).toHaveLength(4);
    expect(server.connectionCount).toBe(3);
  });

  it('does not retry a write if the connection is stale', async () => {
    const server = await startServerThatAnswersOnce();
    const port = createPortTo(server.url);
    await port.get(pods, key);
    expect(await errorOf(port.create(pods, { metadata: key }))).toMatchObject({
      message: 'POST /api/v1/namespaces/shop/pods: socket hang up',
      code: 'ECONNRESET',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('reuses at most maxSockets connections', async () => {
    const server = await startFakeServer(respondWithJson({ kind: 'Pod' }));
    const port = createPortTo(server.url, { maxSockets: 2 });
    await Promise.all(Array.from({ length: 20 }, () => port.get(pods, key)));
    for (let i = 0; i < 5; i++) await port.get(pods, key);
    expect(server.requests).toHaveLength(25);
    expect(server.connectionCount).toBe(2);
  });

  it('does not use the shared connections for watches', async () => {
    const server = await startFakeServer((requests, response, socket) => {
      if (requests.url.includes('watch')) response.flushHeaders();
      else respondWithJson({ kind: 'Pod' })(requests, response, socket);
    });
    const port = createPortTo(server.url, { maxSockets: 1 });
    const watches = Array.from({ length: 5 }, () => port.watch(pods)[Symbol.asyncIterator]());
    const nextEvents = watches.map((watch) => watch.next());
    await waitUntil(() => server.requests.length === 5);
    expect(await port.get(pods, key)).toEqual({ kind: 'Pod' });
    await Promise.all(watches.map((watch) => watch.return?.()));
    expect(await Promise.all(nextEvents)).toEqual(watches.map(() => ({ done: true, value: undefined })));
  });
});

describe('parseServer', () => {
  it.each([
    ['https://10.96.0.1', { isTls: true, host: '10.96.0.1', port: 443, authority: '10.96.0.1', prefix: '' }],
    ['https://api.example.com:6443/', { isTls: true, host: 'api.example.com', port: 6443, authority: 'api.example.com:6443', prefix: '' }],
    ['https://[fd00::1]:6443', { isTls: true, host: 'fd00::1', port: 6443, authority: '[fd00::1]:6443', prefix: '' }],
    ['https://rancher/k8s/clusters/c-1/', { isTls: true, host: 'rancher', port: 443, authority: 'rancher', prefix: '/k8s/clusters/c-1' }],
    ['http://localhost:8080', { isTls: false, host: 'localhost', port: 8080, authority: 'localhost:8080', prefix: '' }],
    ['localhost:8080', { isTls: false, host: 'localhost', port: 8080, authority: 'localhost:8080', prefix: '' }],
  ])('parses %s', (server, expected) => {
    expect(parseServer(server)).toEqual(expected);
  });

  it.each(['', 'https://', 'ftp://a', 'unix:///run/api'])('rejects %j', (server) => {
    expect(() => parseServer(server)).toThrow('is not an address such as');
  });
});
