import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientNodePort } from '../../../src/client-node/index.ts';
import { createAgents } from '../../../src/client-node/transport/agents.ts';
import { errorOf, listenOnLoopback, loadConfig, majors, waitUntil } from '../support.ts';

const { namespaces } = resources;

async function startTlsServer() {
  const server = await createApiServer();
  const { ca = '', ...listening } = await server.listen();
  onTestFinished(() => server.close());
  return { ...listening, caData: Buffer.from(ca).toString('base64') };
}

/** Pipes two sockets into each other until one of them closes. */
function pipeBothWays(first: Socket, second: Socket): void {
  for (const [source, destination] of [
    [first, second],
    [second, first],
  ] as const) {
    source.pipe(destination);
    source.on('error', () => destination.destroy());
    source.on('close', () => destination.destroy());
  }
}

/** An HTTP CONNECT proxy. */
async function startHttpProxy(code = 200) {
  const requests: string[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', ({ url = '', headers }, socket: Socket) => {
    requests.push(`${url} ${headers['proxy-authorization'] ?? ''}`.trim());
    if (code !== 200) return socket.end(`HTTP/1.1 ${code} No\r\n\r\n`);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const [host, port] = url.split(':');
    return pipeBothWays(socket, connect(Number(port), host));
  });
  return { requests, port: await listenOnLoopback(proxy) };
}

/** A SOCKS 5 proxy without authentication: a greeting, then an IPv4 address. */
async function startSocksProxy() {
  const requests: string[] = [];
  const proxy = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (request: Buffer) => {
        const host = [...request.subarray(4, 8)].join('.');
        const port = request.readUInt16BE(8);
        requests.push(`${host}:${port}`);
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        pipeBothWays(socket, connect(port, host));
      });
    });
  });
  return { requests, port: await listenOnLoopback(proxy) };
}

describe.each(majors)('createAgents with client-node $major', ({ KubeConfig }) => {
  const portTo = (server: string, token: string, cluster: Readonly<Record<string, unknown>>) => {
    const config = new KubeConfig();
    loadConfig(config, server, { token }, { skipTLSVerify: false, ...cluster });
    const port = createClientNodePort(config, { maxSockets: 1 });
    onTestFinished(() => port.close());
    return port;
  };

  it('verifies certificates unless skipTLSVerify is set', async () => {
    const { url, port, token = '', caData } = await startTlsServer();
    expect((await portTo(url, token, { caData }).list(namespaces)).items).not.toEqual([]);
    expect(await errorOf(portTo(url, token, {}).list(namespaces))).toMatchObject({
      code: expect.stringMatching(/^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/),
      message: expect.stringMatching(/^GET \/api\/v1\/namespaces: /),
    });
    expect((await portTo(url, token, { skipTLSVerify: true }).list(namespaces)).items).not.toEqual([]);
    const wrongName = portTo(url, token, { caData, tlsServerName: 'other.example' });
    expect(await errorOf(wrongName.list(namespaces))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    const rightName = portTo(`https://127.0.0.1:${port}`, token, { caData, tlsServerName: 'localhost' });
    expect((await rightName.list(namespaces)).items).not.toEqual([]);
  });

  it.each([
    ['HTTP', startHttpProxy, 'http'],
    ['SOCKS', startSocksProxy, 'socks5'],
  ] as const)('keeps connections through a %s proxy alive', async (_, start, scheme) => {
    const { url, port, token = '', caData } = await startTlsServer();
    const proxy = await start();
    const client = portTo(url, token, { caData, proxyUrl: `${scheme}://127.0.0.1:${proxy.port}` });
    for (let i = 0; i < 3; i++) expect((await client.list(namespaces)).items).not.toEqual([]);
    expect(proxy.requests).toEqual([`127.0.0.1:${port}`]);
    const iterator = client.watch(namespaces)[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: 'ADDED' } });
    await iterator.return?.();
    expect(proxy.requests).toHaveLength(2);
  });

  it('sends credentials to a proxy, and rejects if the proxy refuses', async () => {
    const proxy = await startHttpProxy(407);
    const client = portTo('https://127.0.0.1:1', 'secret', { proxyUrl: `http://me:pass@127.0.0.1:${proxy.port}` });
    expect((await errorOf(client.list(namespaces))).message).toBe('GET /api/v1/namespaces: Bad response: 407');
    expect(proxy.requests).toEqual([`127.0.0.1:1 Basic ${Buffer.from('me:pass').toString('base64')}`]);
  });
});

describe('createAgents', () => {
  const createTestAgents = () => {
    const cluster = { name: 'fake', server: 'https://127.0.0.1' };
    const agents = createAgents({ cluster, tls: {}, agent: undefined, settings: { maxSockets: 3, timeout: 70_000 } });
    onTestFinished(() => agents.destroy());
    return agents;
  };

  it('creates a keep-alive agent for calls, and an agent that opens a connection per request', () => {
    const { pooled, unpooled } = createTestAgents();
    expect(pooled).toMatchObject({ keepAlive: true, maxSockets: 3, maxFreeSockets: 3, options: { timeout: 70_000 } });
    expect(unpooled).toMatchObject({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  });

  it('closes idle connections when retired', async () => {
    const { url, port, token = '', caData } = await startTlsServer();
    const cluster = { name: 'fake', server: url };
    const tls = { ca: Buffer.from(caData, 'base64') };
    const agents = createAgents({ cluster, tls, agent: undefined, settings: { maxSockets: 3, timeout: 70_000 } });
    const { get } = await import('node:https');
    await new Promise<void>((resolve) => {
      const headers = { Authorization: `Bearer ${token}` };
      get({ agent: agents.pooled, host: '127.0.0.1', port, path: '/version', headers }, (response) => response.resume().on('end', resolve));
    });
    await waitUntil(() => Object.keys(agents.pooled.freeSockets).length === 1);
    agents.retire();
    await waitUntil(() => Object.keys(agents.pooled.freeSockets).length === 0);
  });
});
