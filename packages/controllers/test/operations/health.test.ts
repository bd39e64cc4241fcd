import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { HealthOptions, HealthServer } from '../../src/operations/health.ts';
import { createMetrics, serveHealth } from '../../src/operations/index.ts';

const servers: HealthServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: Partial<HealthOptions> = {}): Promise<HealthServer> {
  const server = await serveHealth({ port: 0, host: '127.0.0.1', ready: () => true, ...options });
  servers.push(server);
  return server;
}

async function request({ url }: HealthServer, path: string, method = 'GET'): Promise<string> {
  const response = await fetch(url + path, { method });
  return `${response.status} ${await response.text()}`.trim();
}

test.each([['8080'], [-1], [65_536], [Number.NaN], [1.5], [undefined]])('serveHealth rejects the port %o', async (port) => {
  const serverPromise = serveHealth({ port: port as number, ready: () => true });
  await expect(serverPromise).rejects.toThrow(RangeError);
  await expect(serverPromise).rejects.toThrow(/^port is .*: give a whole number from 0 to 65535$/);
});

describe('the health server answers', () => {
  test.each([
    ['/healthz', '200 ok'],
    ['/livez', '200 ok'],
    ['/livez?verbose', '200 ok'],
    ['/readyz', '200 ok'],
    ['/', '404 not found'],
    ['/metrics', '404 not found'],
    ['/readyz/x', '404 not found'],
  ])('%s with %s', async (path, expected) => {
    expect(await request(await serve(), path)).toBe(expected);
  });

  test('with the current state on each request', async () => {
    let ready = false;
    let alive = true;
    const server = await serve({ ready: () => ready, alive: () => alive });
    expect(await request(server, '/readyz')).toBe('503 not ready: the caches have not synced, or no Lease was acquired');
    ready = true;
    expect(await request(server, '/readyz')).toBe('200 ok');
    alive = false;
    expect(await request(server, '/healthz')).toBe('503 not alive');
  });

  test('/metrics with its content type', async () => {
    const server = await serve({ metrics: createMetrics({ process: false }) });
    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('# TYPE controller_runtime_reconcile_total counter');
  });

  test('HEAD without a body and rejects other methods', async () => {
    const server = await serve();
    expect(await request(server, '/healthz', 'HEAD')).toBe('200');
    expect(await request(server, '/healthz', 'POST')).toBe('405 method not allowed');
  });

  test('an internal error without details', async () => {
    const failingMetrics = { contentType: 'text/plain', scrape: () => Promise.reject(new Error('secret')) };
    expect(await request(await serve({ metrics: failingMetrics }), '/metrics')).toBe('500 internal error');
  });

  test('no request with oversized headers', async () => {
    const { port } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).not.toContain('200 OK');
  });
});

test('serveHealth rejects if the port is in use', async () => {
  const { port } = await serve();
  await expect(serve({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('url is reachable for any listen address', async () => {
  const server = await serve({ host: '0.0.0.0' });
  expect(server.url).toBe(`http://localhost:${server.port}`);
  expect((await serve({ host: '::1' })).url).toMatch(/^http:\/\/\[::1\]:\d+$/);
});
