import { describe, expect, it } from 'vitest';
import { makeNode, makeService, withNodes } from '../objects.ts';
import {
  type Backend,
  backend,
  converse,
  createFixture,
  dial,
  ending,
  greeter,
  greetings,
  port,
  received,
  type Spec,
  until,
} from './support.ts';

const { address, backends, balanced } = createFixture(80);

describe('a load balancer', () => {
  it('forwards to the nodes in turn', async () => {
    const { at, cloud } = await balanced(await backends('a', 'b', 'c'));
    expect(await greetings(6, at)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(cloud.held).toMatchObject([
      { clusterName: 'kubernetes', reference: { namespace: 'shop', name: 'web', uid: 'uid-web' }, address: at.host, ports: ['18480/TCP'] },
    ]);
  });

  it('forwards each port to its node port', async () => {
    const [web, admin] = [await greeter('web', address(240)), await greeter('admin', address(240))];
    const ports = [
      { name: 'web', port, nodePort: web.nodePort },
      { name: 'admin', port: port + 1, nodePort: admin.nodePort },
    ];
    const { at } = await balanced([web], { ports });
    expect([await converse(at), await converse({ ...at, port: port + 1 })]).toEqual(['web:HELLO', 'admin:HELLO']);
  });

  it('keeps connections to former nodes and sends new ones to the current nodes', async () => {
    const [a, b] = await backends('a', 'b');
    const { at, cloud, service } = await balanced([a]);
    const old = dial(at);
    expect(await received(old)).toBe('a:');
    await cloud.balancers.update(withNodes(service, b ? [b.node] : []));
    expect(await greetings(3, at)).toEqual(['b', 'b', 'b']);
    old.write('still there');
    expect(await received(old)).toBe('STILL THERE');
    expect(cloud.held[0]).toMatchObject({ nodes: [{ name: 'b', connections: 0 }], connections: 1 });
  });

  it('avoids a node that does not accept, and uses it again later', async () => {
    const [a, b] = (await backends('a', 'b')) as [Backend, Backend];
    const { at, clock, reported, cloud } = await balanced([a, b]);
    a.stop();
    expect(await greetings(4, at)).toEqual(['b', 'b', 'b', 'b']);
    expect(reported.filter((line) => line.startsWith('nodeFailed')).length).toBe(1);
    expect(reported.at(-1)).toMatch(/^nodeFailed web a connect ECONNREFUSED/);
    expect(cloud.held[0]?.nodes).toMatchObject([
      { name: 'a', avoided: true, healthy: true },
      { name: 'b', avoided: false },
    ]);
    await a.start();
    clock.advance(10_000);
    expect((await greetings(4, at)).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('resets connections while there are no nodes', async () => {
    const { at, cloud, service, reported } = await balanced(await backends('a'));
    await cloud.balancers.update(withNodes(service, []));
    expect(await ending(dial(at))).toBe('reset');
    expect(reported.at(-1)).toBe('refused web 127.0.0.1 noNode');
  });

  it('reports nodes without an address', async () => {
    const [a] = await backends('a');
    const { at, cloud, service, reported } = await balanced([a]);
    await cloud.balancers.update(withNodes(service, [{ metadata: { name: 'x' } }, a.node]));
    expect(reported.at(-1)).toBe('withoutAddress web x');
    expect(await greetings(2, at)).toEqual(['a', 'a']);
  });

  it('keeps clients on their nodes with session affinity', async () => {
    const { at, clock, cloud, service } = await balanced(await backends('a', 'b'), {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
    });
    expect(await greetings(3, at, '127.0.0.1')).toEqual(['a', 'a', 'a']);
    expect(await greetings(2, at, '127.0.0.2')).toEqual(['b', 'b']);
    clock.advance(60_000);
    expect(await greetings(1, at, '127.0.0.2')).toEqual(['a']);
    const nodes = ['a', 'b'].map((name, i) => makeNode(name, address(240 + i)));
    const spec: Spec = { ...service.spec, sessionAffinity: 'None' };
    await cloud.balancers.ensure(withNodes(makeService('web', spec), nodes));
    expect((await greetings(4, at)).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('accepts connections from the source ranges only', async () => {
    const { at, cloud, reported } = await balanced(await backends('a'), { loadBalancerSourceRanges: ['127.0.9.0/24', '2001:db8::/32'] });
    expect(await ending(dial({ ...at, localAddress: '127.0.8.1' }))).toBe('reset');
    expect(reported.at(-1)).toBe('refused web 127.0.8.1 sourceRanges');
    expect(await greetings(1, at, '127.0.9.255')).toEqual(['a']);
    expect(cloud.held[0]?.connections).toBe(0);
  });

  it('forwards to healthy nodes only if the Service has a health check node port', async () => {
    const [a, b] = (await backends('a', 'b')) as [Backend, Backend];
    const healthy = new Set([address(241)]);
    const onEvent = (address: string) =>
      `HTTP/1.1 ${healthy.has(address) ? '200 OK' : '503 Service Unavailable'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    const { nodePort } = await backend({ name: 'health', address: a.address }, (socket) => socket.end(onEvent(a.address)));
    await backend({ name: 'health', address: b.address, port: nodePort }, (socket) => socket.end(onEvent(b.address)));
    const { at, clock, reported } = await balanced([a, b], { externalTrafficPolicy: 'Local', healthCheckNodePort: nodePort });
    await until(() => reported.filter((line) => line.startsWith('health ')).length === 2);
    expect(reported.filter((line) => line.startsWith('health ')).sort()).toEqual(['health web a false', 'health web b true']);
    expect(await greetings(3, at)).toEqual(['b', 'b', 'b']);
    healthy.clear();
    clock.advance(5000);
    await until(() => reported.includes('health web b false'));
    expect(await ending(dial(at))).toBe('reset');
  });

  it('resets connections beyond maxConnections until others end', async () => {
    const { at, reported, cloud } = await balanced(await backends('a'), {}, { maxConnections: 2 });
    const open = [dial(at), dial(at)];
    for (const socket of open) await received(socket);
    expect(await ending(dial(at))).toBe('reset');
    expect(reported.at(-1)).toBe('refused web 127.0.0.1 tooMany');
    open[0]?.end();
    await until(() => cloud.held[0]?.connections === 1);
    expect(await greetings(1, at)).toEqual(['a']);
  });
});
