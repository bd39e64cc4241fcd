import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProber } from '../../../src/clouds/tcp/probe.ts';
import { createClock } from '../../queue/clock.ts';
import { waitUntil } from './support.ts';

/** Starts nodes that respond with these status codes, all on one port; 0 means no response. */
async function createHealthServers(codes: Readonly<Record<string, number>>) {
  const statusByNode: Record<string, number> = { ...codes };
  const requests: string[] = [];
  const nodes = Object.keys(codes).map((name, i) => ({ name, address: `127.0.90.${i + 1}` }));
  const servers: Server[] = [];
  let port = 0;
  for (const { name, address } of nodes) {
    const server = createServer(({ url }, response) => {
      requests.push(`${name} ${url}`);
      if (statusByNode[name] !== 0) response.writeHead(statusByNode[name] ?? 500).end('x'.repeat(100_000));
    });
    server.listen(port, address);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
  }
  const clock = createClock();
  const reported: string[] = [];
  const onChange = (name: string, healthy: boolean) => void reported.push(`${name} ${healthy}`);
  const prober = createProber({ clock, probeMs: 5000, probeTimeoutMs: 2000, onChange });
  onTestFinished(() => {
    prober.stop();
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });
  return { clock, nodes, port, prober, reported, requests, statusByNode };
}

describe('a prober', () => {
  it('reports health by status code and probes again periodically', async () => {
    const { clock, nodes, port, prober, reported, requests, statusByNode } = await createHealthServers({ a: 200, b: 503 });
    prober.set(nodes, port);
    expect(['a', 'b'].map(prober.healthOf)).toEqual([undefined, undefined]);
    await waitUntil(() => reported.length === 2 && clock.scheduled === 1);
    expect(reported.sort()).toEqual(['a true', 'b false']);
    expect(requests.sort()).toEqual(['a /healthz', 'b /healthz']);
    expect(['a', 'b'].map(prober.healthOf)).toEqual([true, false]);
    statusByNode['b'] = 200;
    clock.advance(4999);
    expect(requests.length).toBe(2);
    clock.advance(1);
    await waitUntil(() => prober.healthOf('b') === true);
    expect(reported.slice(2)).toEqual(['b true']);
  });

  it('reports a node that does not answer as unhealthy', async () => {
    const { clock, nodes, port, prober, requests } = await createHealthServers({ a: 0 });
    prober.set([...nodes, { name: 'closed', address: '127.0.90.99' }], port);
    await waitUntil(() => requests.length === 1 && prober.healthOf('closed') === false);
    expect(prober.healthOf('a')).toBeUndefined();
    clock.advance(2000);
    await waitUntil(() => prober.healthOf('a') === false);
  });

  it('keeps the health of unchanged nodes', async () => {
    const { clock, nodes, port, prober, reported } = await createHealthServers({ a: 200, b: 200 });
    prober.set(nodes.slice(0, 1), port);
    await waitUntil(() => clock.scheduled === 1 && prober.healthOf('a') === true);
    prober.set(nodes, port);
    expect(['a', 'b'].map(prober.healthOf)).toEqual([true, undefined]);
    await waitUntil(() => prober.healthOf('b') === true);
    prober.set(nodes.slice(1), port);
    expect(['a', 'b'].map(prober.healthOf)).toEqual([undefined, true]);
    prober.set([{ name: 'b', address: '127.0.90.98' }], port);
    expect(prober.healthOf('b')).toBeUndefined();
    expect(reported).toEqual(['a true', 'b true']);
  });

  it('starts no new round for unchanged nodes', async () => {
    const { clock, nodes, port, prober, requests } = await createHealthServers({ a: 200 });
    prober.set(nodes, port);
    await waitUntil(() => prober.healthOf('a') === true && clock.scheduled === 1);
    prober.set([...nodes], port);
    expect(requests.length).toBe(1);
    expect(clock.next).toBe(5000);
  });

  it('reports every node as healthy and stops probing without a port', async () => {
    const { clock, nodes, port, prober } = await createHealthServers({ a: 503 });
    prober.set(nodes, undefined);
    expect(prober.healthOf('a')).toBe(true);
    prober.set(nodes, port);
    await waitUntil(() => prober.healthOf('a') === false);
    prober.set(nodes, undefined);
    expect(prober.healthOf('a')).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('probes at most 16 nodes at a time', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const { clock, nodes, port, prober, requests } = await createHealthServers(
      Object.fromEntries(names.map((name, i) => [name, i < 16 ? 0 : 200])),
    );
    prober.set(nodes, port);
    await waitUntil(() => requests.length === 16);
    for (let iteration = 0; iteration < 50; iteration++) await new Promise((resolve) => setImmediate(resolve));
    expect(requests.length).toBe(16);
    clock.advance(2000);
    await waitUntil(() => nodes.every(({ name }) => prober.healthOf(name) !== undefined));
    expect(nodes.filter(({ name }) => prober.healthOf(name)).length).toBe(24);
  });

  it('reports nothing after stop(), even if a round is in progress', async () => {
    const { clock, nodes, port, prober, reported, requests } = await createHealthServers({ a: 0 });
    prober.set(nodes, port);
    await waitUntil(() => requests.length === 1);
    prober.stop();
    for (let iteration = 0; iteration < 50; iteration++) await new Promise((resolve) => setImmediate(resolve));
    expect(reported).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });
});
