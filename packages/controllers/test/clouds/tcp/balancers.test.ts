import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorOf, makeService, request, withNodes } from '../objects.ts';
import { converse, createFixture, dial, ending, greeter, greetings, port, received, type Spec, serviceFor } from './support.ts';

const { address, backends, balanced, createWorld } = createFixture(82);

describe('deletion', () => {
  it('stops accepting connections and drains existing ones', async () => {
    const { at, cloud, clock, service, reported } = await balanced(await backends('a'));
    const [quick, slow] = [dial(at), dial(at)];
    for (const socket of [quick, slow]) await received(socket);
    await cloud.balancers.delete(request(service));
    expect(reported.at(-1)).toBe('deleted web 2');
    expect(await errorOf(converse(at))).toMatchObject({ code: 'ECONNREFUSED' });
    quick.write('on');
    expect(await received(quick)).toBe('ON');
    quick.end();
    expect(await ending(quick)).toBe('end');
    clock.advance(30_000);
    expect(await ending(slow)).toBe('reset');
    expect(clock.scheduled).toBe(0);
  });

  it('frees the address for other Services', async () => {
    const [a] = await backends('a');
    const { cloud } = createWorld({ addresses: `${address(78)}/32` });
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'one'), [a.node]));
    const old = dial({ host: address(78), port });
    await received(old);
    await cloud.balancers.delete(request(serviceFor(a, {}, 'one')));
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'two'), [a.node]));
    expect(await greetings(1, { host: address(78), port })).toEqual(['a']);
    old.write('on');
    expect(await received(old)).toBe('ON');
  });
});

describe('closing the cloud', () => {
  it('ends every connection and rejects calls', async () => {
    const { at, cloud, clock, service } = await balanced(await backends('a'));
    const open = dial(at);
    await received(open);
    const end = ending(open);
    await Promise.all([cloud.close(), cloud.close()]);
    expect(await end).toBe('reset');
    expect(cloud.held).toEqual([]);
    expect(clock.scheduled).toBe(0);
    for (const call of [
      cloud.balancers.get(request(service)),
      cloud.balancers.ensure(withNodes(service)),
      cloud.balancers.delete(request(service)),
    ])
      expect(await errorOf(call)).toMatchObject({ code: 'Failed', message: 'the cloud tcp is closed' });
  });

  it('can drain connections, including those of deleted load balancers', async () => {
    const [a] = await backends('a');
    const { at, cloud, clock, service } = await balanced([a]);
    const [quick, slow] = [dial(at), dial(at)];
    for (const socket of [quick, slow]) await received(socket);
    await cloud.balancers.delete(request(service));
    let closed = false;
    const closing = cloud.close({ drainMs: 100 }).then(() => {
      closed = true;
    });
    quick.end();
    expect(await ending(quick)).toBe('end');
    expect(closed).toBe(false);
    clock.advance(100);
    expect(await ending(slow)).toBe('reset');
    await closing;
    expect(clock.scheduled).toBe(0);
  });

  it('aborts an ensure in progress', async () => {
    const { cloud } = createWorld();
    const call = cloud.balancers.ensure(withNodes(makeService('web', { loadBalancerIP: address(92) })));
    await Promise.resolve();
    await cloud.close();
    expect(await errorOf(call)).toMatchObject({ code: 'Failed' });
    expect(await errorOf(converse({ host: address(92), port }))).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a changed Service', () => {
  it('moves ports and drains connections of the former port', async () => {
    const [a] = await backends('a');
    const { at, cloud, clock, reported } = await balanced([a]);
    const old = dial(at);
    await received(old);
    const ports = [{ port: port + 1, nodePort: a.nodePort }];
    await cloud.balancers.ensure(withNodes(makeService('web', { ports }), [a.node]));
    expect(await errorOf(converse(at))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await converse({ ...at, port: port + 1 })).toBe('a:HELLO');
    expect(reported.filter((line) => line.startsWith('listening'))).toEqual([
      `listening web ${at.host} 18480/TCP`,
      `listening web ${at.host} 18481/TCP`,
    ]);
    old.write('on');
    expect(await received(old)).toBe('ON');
    clock.advance(30_000);
    expect(await ending(old)).toBe('reset');
  });

  it('uses another node port for new connections without a new listener', async () => {
    const [first, second] = [await greeter('first', address(240)), await greeter('second', address(240))];
    const { at, cloud, reported } = await balanced([first]);
    await cloud.balancers.ensure(withNodes(serviceFor(second), [second.node]));
    expect(await greetings(1, at)).toEqual(['second']);
    expect(reported.length).toBe(1);
  });

  it('moves to the requested address', async () => {
    const [a] = await backends('a');
    const { at, cloud } = await balanced([a]);
    const status = await cloud.balancers.ensure(withNodes(serviceFor(a, { loadBalancerIP: address(200) }), [a.node]));
    expect(status).toEqual({ ingress: [{ ip: address(200) }] });
    expect(await greetings(1, { ...at, host: address(200) })).toEqual(['a']);
    expect(await errorOf(converse(at))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('shares an address if both Services request it', async () => {
    const [a] = await backends('a');
    const { cloud } = createWorld();
    const at = (name: string, own: number) =>
      makeService(name, { loadBalancerIP: address(201), ports: [{ port: own, nodePort: a.nodePort }] });
    for (const [name, own] of [['one', port] as const, ['two', port + 1] as const])
      await cloud.balancers.ensure(withNodes(at(name, own), [a.node]));
    await cloud.balancers.delete(request(at('one', port)));
    expect(await greetings(1, { host: address(201), port: port + 1 })).toEqual(['a']);
  });
});

describe('ensure rejects', () => {
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
    ['an address of elsewhere', { loadBalancerIP: '203.0.113.1' }, /spec\.loadBalancerIP 203\.0\.113\.1 is not in 127\.0\.82\.0\/24/],
  ])('%s', async (_, spec, message) => {
    const { cloud } = createWorld();
    expect(await errorOf(cloud.balancers.ensure(withNodes(makeService('web', spec))))).toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(message),
    });
    expect(cloud.held).toEqual([]);
  });

  it('a Service beyond the last address', async () => {
    const { cloud } = createWorld({ addresses: `${address(77)}/32` });
    await cloud.balancers.ensure(withNodes(makeService('one')));
    const error = await errorOf(cloud.balancers.ensure(withNodes(makeService('two'))));
    expect(error).toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/^Service shop\/two: all 1 addresses of 127\.0\.82\.77\/32 are taken/),
    });
    await cloud.balancers.delete(request(makeService('one')));
    expect(await cloud.balancers.ensure(withNodes(makeService('two')))).toEqual({ ingress: [{ ip: address(77) }] });
  });

  it('a port in use by another program, without a partial result and without loss of the former state', async () => {
    const other = createServer().listen(port + 1, address(90));
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const [a] = await backends('a');
    const { cloud, clock } = createWorld();
    const two: Spec = {
      loadBalancerIP: address(90),
      ports: [
        { port, nodePort: a.nodePort },
        { port: port + 1, nodePort: a.nodePort },
      ],
    };
    const wanted = withNodes(makeService('web', two), [a.node]);
    const message = `Service shop/web: spec.ports[1] cannot listen on ${address(90)}:18481: another program listens there: stop it, or give another port (EADDRINUSE)`;
    expect(await errorOf(cloud.balancers.ensure(wanted))).toMatchObject({ code: 'Failed', message });
    expect(cloud.held).toEqual([]);
    expect(await errorOf(converse({ host: address(90), port }))).toMatchObject({ code: 'ECONNREFUSED' });
    expect(clock.scheduled).toBe(0);
    const status = await cloud.balancers.ensure(withNodes(serviceFor(a), [a.node]));
    expect(await errorOf(cloud.balancers.ensure(wanted))).toMatchObject({ code: 'Failed' });
    expect(await cloud.balancers.get(wanted)).toEqual(status);
    expect(await greetings(1, { host: status.ingress?.[0]?.ip ?? '', port })).toEqual(['a']);
    other.close();
    await once(other, 'close');
    expect(await cloud.balancers.ensure(wanted)).toEqual({ ingress: [{ ip: address(90) }] });
    expect(cloud.held[0]?.ports).toEqual(['18480/TCP', '18481/TCP']);
  });

  it('an address that is not on this machine', async () => {
    const { cloud } = createWorld({ addresses: '192.0.2.0/24' });
    expect(await errorOf(cloud.balancers.ensure(withNodes(makeService())))).toMatchObject({
      code: 'Failed',
      message: expect.stringMatching(/EADDRNOTAVAIL/),
    });
  });

  it('if aborted in progress', async () => {
    const { cloud } = createWorld();
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
