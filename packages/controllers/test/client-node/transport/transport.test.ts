import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientNodePort, type KubeConfigLike } from '../../../src/client-node/index.ts';
import { createSettings } from '../../../src/client-node/options.ts';
import { createAbortCallbacks } from '../../../src/client-node/transport/aborts.ts';
import { createCredentialSource } from '../../../src/client-node/transport/credentials.ts';
import { parseServer } from '../../../src/client-node/transport/exchange.ts';
import { createTransport, readText } from '../../../src/client-node/transport/transport.ts';
import { createConfigFor, errorOf, notFound, respondWithJson, startFakeServer } from '../support.ts';

const { pods } = resources;
const key = { namespace: 'shop', name: 'web' };
const unauthorized = { ...notFound, code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

/** Starts a server that accepts only the token "good", and a port that loads the next of these tokens, or fails, on each load. */
async function setUp(tokens: readonly (string | Error)[]) {
  const server = await startFakeServer((requests, response, socket) => {
    if (requests.headers.authorization !== 'Bearer good') return respondWithJson(unauthorized, 401)(requests, response, socket);
    if (!requests.url.includes('watch')) return respondWithJson({ kind: 'Pod' })(requests, response, socket);
    return response.end(`${JSON.stringify({ type: 'ADDED', object: { metadata: key } })}\n`);
  });
  const config = createConfigFor(server.url);
  const remainingTokens = [...tokens];
  const kubeConfig: KubeConfigLike = {
    getCurrentContext: () => 'test',
    getContexts: () => config.getContexts(),
    getCurrentCluster: () => config.getCurrentCluster(),
    async applyToHTTPSOptions(options) {
      const token = remainingTokens.length > 1 ? remainingTokens.shift() : remainingTokens[0];
      if (token instanceof Error) throw token;
      options.headers = { Authorization: `Bearer ${token}\n` };
    },
  };
  const port = createClientNodePort(kubeConfig);
  onTestFinished(() => port.close());
  return { server, port };
}

describe('a transport whose credentials are refused', () => {
  it('rereads the credentials and repeats the request', async () => {
    const { server, port } = await setUp(['old', 'good']);
    expect(await port.create(pods, { metadata: key })).toEqual({ kind: 'Pod' });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer good']);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });

  it('rereads the credentials for a watch', async () => {
    const { port } = await setUp(['old', 'good']);
    const { value } = await port.watch(pods)[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ type: 'ADDED' });
  });

  it('rereads the credentials once for concurrent calls', async () => {
    const { server, port } = await setUp(['old', 'good', 'bad']);
    await Promise.all(Array.from({ length: 5 }, () => port.get(pods, key)));
    expect(server.requests.filter(({ headers }) => headers.authorization === 'Bearer good')).toHaveLength(5);
  });

  it('rejects with the 401 if the credentials have not changed', async () => {
    const { server, port } = await setUp(['old']);
    expect(await errorOf(port.get(pods, key))).toMatchObject({ name: 'ApiError', code: 401 });
    expect(server.requests).toHaveLength(1);
  });

  it('rejects with the 401, and the read error as its cause, if rereading fails', async () => {
    const { port } = await setUp(['old', new Error('no such program')]);
    const error = await errorOf(port.get(pods, key));
    expect(error).toMatchObject({ name: 'ApiError', code: 401 });
    expect((error.cause as Error).message).toContain('no such program');
  });
});

it('a call fails if credentials are unavailable', async () => {
  const { server, port } = await setUp([new Error('no such program')]);
  expect((await errorOf(port.get(pods, key))).message).toBe("the kubeconfig's credentials cannot be loaded: no such program");
  expect(server.requests).toEqual([]);
});

it('a stream has no socket timeout after its response has started', async () => {
  const server = await startFakeServer((_, response) => response.flushHeaders());
  const settings = createSettings({ userAgent: 'tester' });
  const address = parseServer(server.url);
  const source = createCredentialSource(createConfigFor(server.url), address.authority, settings);
  const transport = createTransport({ server: address, source, abortCallbacks: createAbortCallbacks(), settings });
  onTestFinished(() => transport.close());
  const { signal } = new AbortController();
  const response = await transport.stream({ method: 'GET', path: '/', signal }, () => undefined);
  expect(response.socket.timeout).toBe(0);
});

it('an aborted call does not wait for credentials', async () => {
  const config = createConfigFor('http://127.0.0.1:1');
  config.applyToHTTPSOptions = () => new Promise(() => undefined);
  const port = createClientNodePort(config);
  onTestFinished(() => port.close());
  const reason = new Error('enough');
  const controller = new AbortController();
  const call = errorOf(port.get(pods, key, { signal: controller.signal }));
  controller.abort(reason);
  expect(await call).toBe(reason);
});

/** Reads a body that arrives in chunks of `size` bytes. */
function readBody(bytes: Buffer, size: number, encoding?: string): Promise<string> {
  const response = Object.assign(new PassThrough(), { headers: { 'content-encoding': encoding } });
  return new Promise((resolve, reject) => {
    readText(response as unknown as IncomingMessage, (error, text) => (error ? reject(error) : resolve(text)));
    for (let offset = 0; offset < bytes.length; offset += size) response.write(bytes.subarray(offset, offset + size));
    response.end();
  });
}

describe('readText', () => {
  const text = '{"a":"größer €"}';

  it.each([1, 2, 1000])('reads a body in chunks of %i bytes', async (size) => {
    expect(await readBody(Buffer.from(text), size)).toBe(text);
    expect(await readBody(gzipSync(text), size, 'gzip')).toBe(text);
  });

  it('reads an empty body', async () => {
    expect(await readBody(Buffer.alloc(0), 1)).toBe('');
  });

  it('reports an error for a truncated compressed body', async () => {
    await expect(readBody(gzipSync(text).subarray(0, 20), 100, 'gzip')).rejects.toThrow('unexpected end of file');
  });
});
