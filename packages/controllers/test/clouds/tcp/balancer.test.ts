import { describe, expect, it } from 'vitest';
import { makeNode, makeService, withNodes } from '../objects.ts';
import {
  type Backend,
  collectGreetings,
  converse,
  createTestNetwork,
  dial,
  port,
  readChunk,
  type Spec,
  startBackend,
  startGreeter,
  waitForClose,
  waitUntil,
} from './support.ts';

const { address, startBackends, createBalancedCloud } = createTestNetwork(80);

describe('a load balancer', () => {
  it('forwards to the nodes in turn', async () => {
    const { frontend, cloud } = await createBalancedCloud(await startBackends('a', 'b', 'c'));
    expect(await collectGreetings(6, frontend)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(cloud.held).toMatchObject([
      {
        clusterName: 'kubernetes',
        reference: { namespace: 'shop', name: 'web', uid: 'uid-web' },
        address: frontend.host,
        ports: ['18480/TCP'],
      },
    ]);
  });

  it('forwards each port to its node port', async () => {
    const [web, admin] = [await startGreeter('web', address(240)), await startGreeter('admin', address(240))];
    const ports = [
      { name: 'web', port, nodePort: web.nodePort },
      { name: 'admin', port: port + 1, nodePort: admin.nodePort },
    ];
    const { frontend } = await createBalancedCloud([web], { ports });
    expect([await converse(frontend), await converse({ ...frontend, port: port + 1 })]).toEqual(['web:HELLO', 'admin:HELLO']);
  });

  it('keeps connections to removed nodes and sends new connections to the current nodes', async () => {
    const [a, b] = await startBackends('a', 'b');
    const { frontend, cloud, service } = await createBalancedCloud([a]);
    const existingConnection = dial(frontend);
    expect(await readChunk(existingConnection)).toBe('a:');
    await cloud.balancers.update(withNodes(service, b ? [b.node] : []));
    expect(await collectGreetings(3, frontend)).toEqual(['b', 'b', 'b']);
    existingConnection.write('still there');
    expect(await readChunk(existingConnection)).toBe('STILL THERE');
    expect(cloud.held[0]).toMatchObject({ nodes: [{ name: 'b', connections: 0 }], connections: 1 });
  });

  it('avoids a node that does not accept, and uses it again later', async () => {
    const [a, b] = (await startBackends('a', 'b')) as [Backend, Backend];
    const { frontend, clock, reportedEvents, cloud } = await createBalancedCloud([a, b]);
    a.stop();
    expect(await collectGreetings(4, frontend)).toEqual(['b', 'b', 'b', 'b']);
    expect(reportedEvents.filter((line) => line.startsWith('nodeFailed')).length).toBe(1);
    expect(reportedEvents.at(-1)).toMatch(/^nodeFailed web a connect ECONNREFUSED/);
    expect(cloud.held[0]?.nodes).toMatchObject([
      { name: 'a', avoided: true, healthy: true },
      { name: 'b', avoided: false },
    ]);
    await a.start();
    clock.advance(10_000);
    expect((await collectGreetings(4, frontend)).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('resets connections while there are no nodes', async () => {
    const { frontend, cloud, service, reportedEvents } = await createBalancedCloud(await startBackends('a'));
    await cloud.balancers.update(withNodes(service, []));
    expect(await waitForClose(dial(frontend))).toBe('reset');
    expect(reportedEvents.at(-1)).toBe('refused web 127.0.0.1 noNode');
  });

  it('reports nodes without an address', async () => {
    const [a] = await startBackends('a');
    const { frontend, cloud, service, reportedEvents } = await createBalancedCloud([a]);
    await cloud.balancers.update(withNodes(service, [{ metadata: { name: 'x' } }, a.node]));
    expect(reportedEvents.at(-1)).toBe('withoutAddress web x');
    expect(await collectGreetings(2, frontend)).toEqual(['a', 'a']);
  });

  it('keeps clients on their nodes with session affinity', async () => {
    const { frontend, clock, cloud, service } = await createBalancedCloud(await startBackends('a', 'b'), {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    });
    expect(await collectGreetings(3, frontend, '127.0.0.1')).toEqual(['a', 'a', 'a']);
    expect(await collectGreetings(2, frontend, '127.0.0.2')).toEqual(['b', 'b']);
    clock.advance(60_000);
    expect(await collectGreetings(1, frontend, '127.0.0.2')).toEqual(['a']);
    const nodes = ['a', 'b'].map((name, i) => makeNode(name, address(240 + i)));
    const spec: Spec = { ...service.spec, sessionAffinity: 'None' };
    await cloud.balancers.ensure(withNodes(makeService('web', spec), nodes));
    expect((await collectGreetings(4, frontend)).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('accepts connections from the source ranges only', async () => {
    const { frontend, cloud, reportedEvents } = await createBalancedCloud(await startBackends('a'), {
      loadBalancerSourceRanges: ['127.0.9.0/24', '2001:db8::/32'],
    });
    expect(await waitForClose(dial({ ...frontend, localAddress: '127.0.8.1' }))).toBe('reset');
    expect(reportedEvents.at(-1)).toBe('refused web 127.0.8.1 sourceRanges');
    expect(await collectGreetings(1, frontend, '127.0.9.255')).toEqual(['a']);
    expect(cloud.held[0]?.connections).toBe(0);
  });

  it('forwards to healthy nodes only if the Service has a health check node port', async () => {
    const [a, b] = (await startBackends('a', 'b')) as [Backend, Backend];
    const healthyAddresses = new Set([address(241)]);
    const formatHealthResponse = (address: string) =>
      `HTTP/1.1 ${healthyAddresses.has(address) ? '200 OK' : '503 Service Unavailable'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    const { nodePort } = await startBackend({ name: 'health', address: a.address }, (socket) =>
      socket.end(formatHealthResponse(a.address)),
    );
    await startBackend({ name: 'health', address: b.address, port: nodePort }, (socket) => socket.end(formatHealthResponse(b.address)));
    const { frontend, clock, reportedEvents } = await createBalancedCloud([a, b], {
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: nodePort,
    });
    await waitUntil(() => reportedEvents.filter((line) => line.startsWith('health ')).length === 2);
    expect(reportedEvents.filter((line) => line.startsWith('health ')).sort()).toEqual(['health web a false', 'health web b true']);
    expect(await collectGreetings(3, frontend)).toEqual(['b', 'b', 'b']);
    healthyAddresses.clear();
    clock.advance(5000);
    await waitUntil(() => reportedEvents.includes('health web b false'));
    expect(await waitForClose(dial(frontend))).toBe('reset');
  });

  it('resets connections beyond maxConnections until others end', async () => {
    const { frontend, reportedEvents, cloud } = await createBalancedCloud(await startBackends('a'), {}, { maxConnections: 2 });
    const connections = [dial(frontend), dial(frontend)];
    for (const socket of connections) await readChunk(socket);
    expect(await waitForClose(dial(frontend))).toBe('reset');
    expect(reportedEvents.at(-1)).toBe('refused web 127.0.0.1 tooMany');
    connections[0]?.end();
    await waitUntil(() => cloud.held[0]?.connections === 1);
    expect(await collectGreetings(1, frontend)).toEqual(['a']);
  });
});
