import { describe, expect, it } from 'vitest';
import { createMemoryCloud } from '../../../src/clouds/index.ts';
import { errorOf, makeNode, makeService, request, withNodes } from '../objects.ts';
import { balancerUids, createFaultyCloud } from './support.ts';

describe('the cloud in memory', () => {
  it('exposes its load balancers and calls', async () => {
    const cloud = createMemoryCloud({ addresses: '10.0.0.0/24' });
    const { balancers } = cloud;
    await balancers.ensure(withNodes(makeService(), [makeNode('n1'), makeNode('n2')]));
    await balancers.update(withNodes(makeService(), [makeNode('n2')]));
    const reference = { namespace: 'shop', name: 'web', uid: 'uid-web' };
    const status = { ingress: [{ ip: '10.0.0.1' }] };
    expect(cloud.held).toEqual([{ clusterName: 'kubernetes', reference, service: makeService(), nodes: ['n2'], status }]);
    await balancers.delete(request(makeService()));
    await balancers.list({ clusterName: 'c', signal: new AbortController().signal });
    expect(cloud.held).toEqual([]);
    expect(cloud.calls.map(({ number, verb, nodes, fault }) => [number, verb, nodes?.join(), fault])).toEqual([
      [1, 'ensure', 'n1,n2', undefined],
      [2, 'update', 'n2', undefined],
      [3, 'delete', undefined, undefined],
      [4, 'list', undefined, undefined],
    ]);
    expect(cloud.calls[0]).toMatchObject({ clusterName: 'kubernetes', reference });
  });

  it('keeps the latest keptCalls calls', async () => {
    expect(() => createMemoryCloud({ keptCalls: -1 })).toThrow(new RangeError('keptCalls is -1: give a whole number of at least 0'));
    const cloud = createMemoryCloud({ keptCalls: 2 });
    for (let i = 0; i < 5; i++) await cloud.balancers.get(request(makeService()));
    expect(cloud.calls.map(({ number }) => number)).toEqual([4, 5]);
  });

  it('copies the Service', async () => {
    const cloud = createMemoryCloud();
    const service = { ...makeService() };
    await cloud.balancers.ensure(withNodes(service));
    Object.assign(service, { spec: undefined });
    expect(cloud.held[0]?.service).toEqual(makeService());
  });

  it('removes a load balancer with lose()', async () => {
    const { cloud, ensure } = createFaultyCloud();
    await ensure();
    expect([cloud.lose('other'), cloud.lose('uid-web'), cloud.lose('uid-web')]).toEqual([false, true, false]);
    expect(balancerUids(cloud)).toEqual([]);
  });

  it('does not record a call that was aborted before it arrived', async () => {
    const { cloud, abortController, ensure } = createFaultyCloud({ fault: 'throw' });
    abortController.abort(new Error('gone'));
    expect(await errorOf(ensure())).toMatchObject({ message: 'gone' });
    expect(cloud.calls).toEqual([]);
  });
});
