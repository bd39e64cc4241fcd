import { describe, expect, it } from 'vitest';
import { errorOf, makeService, request, withNodes } from '../objects.ts';
import { converse, createPlace, dial, ending, greetings, heard, port, serviceFor } from './support.ts';

const { address, backends, balanced, createWorld } = createPlace(82);

describe('deletion', () => {
  it('takes no more connections, and lets those there are go on for a while', async () => {
    const { at, cloud, clock, service, told } = await balanced(await backends('a'));
    const [quick, slow] = [dial(at), dial(at)];
    for (const socket of [quick, slow]) await heard(socket);
    await cloud.balancers.delete(request(service));
    expect(told.at(-1)).toBe('deleted web 2');
    expect(await errorOf(converse(at))).toMatchObject({ code: 'ECONNREFUSED' });
    quick.write('on');
    expect(await heard(quick)).toBe('ON');
    quick.end();
    expect(await ending(quick)).toBe('end');
    clock.advance(30_000);
    expect(await ending(slow)).toBe('reset');
    expect(clock.scheduled).toBe(0);
  });

  it('leaves the address to others', async () => {
    const [a] = await backends('a');
    const { cloud } = createWorld({ addresses: `${address(78)}/32` });
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'one'), [a.node]));
    const old = dial({ host: address(78), port });
    await heard(old);
    await cloud.balancers.delete(request(serviceFor(a, {}, 'one')));
    await cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'two'), [a.node]));
    expect(await greetings(1, { host: address(78), port })).toEqual(['a']);
    old.write('on');
    expect(await heard(old)).toBe('ON');
  });
});

describe('the end of the cloud', () => {
  it('ends all there is, and refuses calls', async () => {
    const { at, cloud, clock, service } = await balanced(await backends('a'));
    const open = dial(at);
    await heard(open);
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

  it('may wait for connections, also of what was deleted before', async () => {
    const [a] = await backends('a');
    const { at, cloud, clock, service } = await balanced([a]);
    const [quick, slow] = [dial(at), dial(at)];
    for (const socket of [quick, slow]) await heard(socket);
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

  it('comes also for what is about to be made', async () => {
    const { cloud } = createWorld();
    const call = cloud.balancers.ensure(withNodes(makeService('web', { loadBalancerIP: address(92) })));
    await Promise.resolve();
    await cloud.close();
    expect(await errorOf(call)).toMatchObject({ code: 'Failed' });
    expect(await errorOf(converse({ host: address(92), port }))).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
