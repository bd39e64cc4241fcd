import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorOf, makeService, request, withNodes } from '../objects.ts';
import {
  collectGreetings,
  converse,
  createTestNetwork,
  dial,
  port,
  readChunk,
  type Spec,
  serviceFor,
  startGreeter,
  waitForClose,
} from './support.ts';

const { address, startBackends, createBalancedCloud, createTcpFixture } = createTestNetwork(82);

describe('deleting a load balancer', () => {
  it('stops accepting connections and drains existing ones', async () => {
    const { frontend, cloud, clock, service, reportedEvents } = await createBalancedCloud(await startBackends('a'));
    const [quick, slow] = [dial(frontend), dial(frontend)];
    for (const socket of [quick, slow]) await readChunk(socket);
    await cloud.balancers.delete(request(service));
    expect(reportedEvents.at(-1)).toBe('deleted web 2');
    expect(await errorOf(converse(frontend))).toMatchObject({ code: 'ECONNREFUSED' });
    quick.write('on');
    expect(await readChunk(quick)).toBe('ON');
    quick.end();
    expect(await waitForClose(quick)).toBe('end');
    clock.advance(30_000);
    expect(await waitForClose(slow)).toBe('reset');
    expect(clock.scheduled).toBe(0);
  });

  it('frees the address for other Services', async () => {
    const [a] = await startBackends('a');
    const { cloud } = createTcpFixture({ addresses: `${address(78)}/32` });
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'one'), [a.node]));
    const existingConnection = dial({ host: address(78), port });
    await readChunk(existingConnection);
    await cloud.balancers.delete(request(serviceFor(a, {}, 'one')));
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'two'), [a.node]));
    expect(await collectGreetings(1, { host: address(78), port })).toEqual(['a']);
    existingConnection.write('on');
    expect(await readChunk(existingConnection)).toBe('ON');
  });
});

describe('close() of a TCP cloud', () => {
  it('ends every connection and rejects calls', async () => {
    const { frontend, cloud, clock, service } = await createBalancedCloud(await startBackends('a'));
    const connection = dial(frontend);
    await readChunk(connection);
    const closed = waitForClose(connection);
    await Promise.all([cloud.close(), cloud.close()]);
    expect(await closed).toBe('reset');
    expect(cloud.held).toEqual([]);
    expect(clock.scheduled).toBe(0);
    for (const call of [
      cloud.balancers.get(request(service)),
      cloud.balancers.ensure(withNodes(service)),
      cloud.balancers.delete(request(service)),
    ])
      expect(await errorOf(call)).toMatchObject({ code: 'Failed', message: 'the cloud tcp is closed' });
  });

  it('drains connections, including those of deleted load balancers', async () => {
    const [a] = await startBackends('a');
    const { frontend, cloud, clock, service } = await createBalancedCloud([a]);
    const [quick, slow] = [dial(frontend), dial(frontend)];
    for (const socket of [quick, slow]) await readChunk(socket);
    await cloud.balancers.delete(request(service));
    let closed = false;
    const closing = cloud.close({ drainMs: 100 }).then(() => {
      closed = true;
    });
    quick.end();
    expect(await waitForClose(quick)).toBe('end');
    expect(closed).toBe(false);
    clock.advance(100);
    expect(await waitForClose(slow)).toBe('reset');
    await closing;
    expect(clock.scheduled).toBe(0);
  });

  it('aborts an ensure in progress', async () => {
    const { cloud } = createTcpFixture();
    const call = cloud.balancers.ensure(withNodes(makeService('web', { loadBalancerIP: address(92) })));
    await Promise.resolve();
    await cloud.close();
    expect(await errorOf(call)).toMatchObject({ code: 'Failed' });
    expect(await errorOf(converse({ host: address(92), port }))).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('ensure for a changed Service', () => {
  it('moves to the new port and drains connections of the previous port', async () => {
    const [a] = await startBackends('a');
    const { frontend, cloud, clock, reportedEvents } = await createBalancedCloud([a]);
    const existingConnection = dial(frontend);
    await readChunk(existingConnection);
    const ports = [{ port: port + 1, nodePort: a.nodePort }];
    await cloud.balancers.ensure(withNodes(makeService('web', { ports }), [a.node]));
    expect(await errorOf(converse(frontend))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await converse({ ...frontend, port: port + 1 })).toBe('a:HELLO');
    expect(reportedEvents.filter((line) => line.startsWith('listening'))).toEqual([
      `listening web ${frontend.host} 18480/TCP`,
      `listening web ${frontend.host} 18481/TCP`,
    ]);
    existingConnection.write('on');
    expect(await readChunk(existingConnection)).toBe('ON');
    clock.advance(30_000);
    expect(await waitForClose(existingConnection)).toBe('reset');
  });

  it('uses another node port for new connections without a new listener', async () => {
    const [first, second] = [await startGreeter('first', address(240)), await startGreeter('second', address(240))];
    const { frontend, cloud, reportedEvents } = await createBalancedCloud([first]);
    await cloud.balancers.ensure(withNodes(serviceFor(second), [second.node]));
    expect(await collectGreetings(1, frontend)).toEqual(['second']);
    expect(reportedEvents.length).toBe(1);
  });

  it('moves to the requested address', async () => {
    const [a] = await startBackends('a');
    const { frontend, cloud } = await createBalancedCloud([a]);
    const status = await cloud.balancers.ensure(withNodes(serviceFor(a, { loadBalancerIP: address(200) }), [a.node]));
    expect(status).toEqual({ ingress: [{ ip: address(200) }] });
    expect(await collectGreetings(1, { ...frontend, host: address(200) })).toEqual(['a']);
    expect(await errorOf(converse(frontend))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('shares an address if both Services request it', async () => {
    const [a] = await startBackends('a');
    const { cloud } = createTcpFixture();
    const createSharedService = (name: string, servicePort: number) =>
      makeService(name, { loadBalancerIP: address(201), ports: [{ port: servicePort, nodePort: a.nodePort }] });
    for (const [name, servicePort] of [['one', port] as const, ['two', port + 1] as const])
      await cloud.balancers.ensure(withNodes(createSharedService(name, servicePort), [a.node]));
    await cloud.balancers.delete(request(createSharedService('one', port)));
    expect(await collectGreetings(1, { host: address(201), port: port + 1 })).toEqual(['a']);
  });
});

describe('ensure', () => {
  it.each<[string, Spec, RegExp]>([
    [
      'UDP',
      { ports: [{ port, protocol: 'UDP', nodePort: 30_000 }] },
      /^Service shop\/web: spec\.ports\[0] \(18480\/UDP\) cannot be forwarded/,
    ],
    [
      'SCTP beside TCP',
      {
        ports: [
          { port, nodePort: 30_000 },
          { port, protocol: 'SCTP', nodePort: 30_000 },
        ],
      },
      /^Service shop\/web: spec\.ports\[1] \(18480\/SCTP\)/,
    ],
    ['no node port', { ports: [{ port }] }, /has no nodePort to forward to: set spec\.allocateLoadBalancerNodePorts to true$/],
    [
      'an address outside of the range',
      { loadBalancerIP: '203.0.113.1' },
      /spec\.loadBalancerIP 203\.0\.113\.1 is not in 127\.0\.82\.0\/24/,
    ],
  ])('rejects %s', async (_, spec, message) => {
    const { cloud } = createTcpFixture();
    expect(await errorOf(cloud.balancers.ensure(withNodes(makeService('web', spec))))).toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(message),
    });
    expect(cloud.held).toEqual([]);
  });

  it('rejects a Service if all addresses are taken', async () => {
    const { cloud } = createTcpFixture({ addresses: `${address(77)}/32` });
    await cloud.balancers.ensure(withNodes(makeService('one')));
    const error = await errorOf(cloud.balancers.ensure(withNodes(makeService('two'))));
    expect(error).toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/^Service shop\/two: all 1 addresses of 127\.0\.82\.77\/32 are taken/),
    });
    await cloud.balancers.delete(request(makeService('one')));
    expect(await cloud.balancers.ensure(withNodes(makeService('two')))).toEqual({ ingress: [{ ip: address(77) }] });
  });

  it('rejects a port in use by another program, and keeps the previous state', async () => {
    const otherServer = createServer().listen(port + 1, address(90));
    onTestFinished(() => void otherServer.close());
    await once(otherServer, 'listening');
    const [a] = await startBackends('a');
    const { cloud, clock } = createTcpFixture();
    const conflictingSpec: Spec = {
      loadBalancerIP: address(90),
      ports: [
        { port, nodePort: a.nodePort },
        { port: port + 1, nodePort: a.nodePort },
      ],
    };
    const conflictingRequest = withNodes(makeService('web', conflictingSpec), [a.node]);
    const message = `Service shop/web: spec.ports[1] cannot listen on ${address(90)}:18481: another program listens there: stop it, or give another port (EADDRINUSE)`;
    expect(await errorOf(cloud.balancers.ensure(conflictingRequest))).toMatchObject({ code: 'Failed', message });
    expect(cloud.held).toEqual([]);
    expect(await errorOf(converse({ host: address(90), port }))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(clock.scheduled).toBe(0);
    const status = await cloud.balancers.ensure(withNodes(serviceFor(a), [a.node]));
    expect(await errorOf(cloud.balancers.ensure(conflictingRequest))).toMatchObject({ code: 'Failed' });
    expect(await cloud.balancers.get(conflictingRequest)).toEqual(status);
    expect(await collectGreetings(1, { host: status.ingress?.[0]?.ip ?? '', port })).toEqual(['a']);
    otherServer.close();
    await once(otherServer, 'close');
    expect(await cloud.balancers.ensure(conflictingRequest)).toEqual({ ingress: [{ ip: address(90) }] });
    expect(cloud.held[0]?.ports).toEqual(['18480/TCP', '18481/TCP']);
  });

  it('rejects an address that is not on this machine', async () => {
    const { cloud } = createTcpFixture({ addresses: '192.0.2.0/24' });
    expect(await errorOf(cloud.balancers.ensure(withNodes(makeService())))).toMatchObject({
      code: 'Failed',
      message: expect.stringMatching(/EADDRNOTAVAIL/),
    });
  });

  it('rejects and closes its ports if it is aborted', async () => {
    const { cloud } = createTcpFixture();
    const controller = new AbortController();
    const call = cloud.balancers.ensure(withNodes(makeService('web', { loadBalancerIP: address(91) }), [], controller.signal));
    await Promise.resolve();
    await Promise.resolve();
    controller.abort(new Error('enough'));
    expect(await errorOf(call)).toMatchObject({ message: 'enough' });
    expect(cloud.held).toEqual([]);
    expect(await errorOf(converse({ host: address(91), port }))).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
