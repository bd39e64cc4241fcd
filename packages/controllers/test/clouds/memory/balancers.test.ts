import { describe, expect, it } from 'vitest';
import { createBalancers } from '../../../src/clouds/memory/balancers.ts';
import { makeNode, makeService, request, withNodes } from '../objects.ts';

describe('createBalancers in memory', () => {
  it('stores the state of the last ensure call', () => {
    const balancers = createBalancers('10.0.0.0/24');
    const status = { ingress: [{ ip: '10.0.0.1' }] };
    expect(balancers.ensure(withNodes(makeService(), [makeNode('n1')]))).toEqual(status);
    const changed = makeService('web', { sessionAffinity: 'ClientIP' });
    expect(balancers.ensure(withNodes(changed, [makeNode('n2')]))).toEqual(status);
    expect([...balancers.all]).toMatchObject([{ service: changed, nodes: ['n2'], status }]);
    expect(balancers.get(request(makeService()))).toEqual(status);
  });

  it('identifies load balancers by UID, not by name', () => {
    const balancers = createBalancers('10.0.0.0/24');
    balancers.ensure(withNodes(makeService('web', {}, 'u1')));
    const sameName = makeService('web', {}, 'u2');
    expect(balancers.get(request(sameName))).toBeUndefined();
    expect(() => balancers.update(withNodes(sameName))).toThrow(
      'Service shop/web: there is no load balancer of the UID u2: ensure it first',
    );
    balancers.delete(request(sameName));
    expect(balancers.list('kubernetes')).toEqual([{ namespace: 'shop', name: 'web', uid: 'u1' }]);
    expect(balancers.list('other')).toEqual([]);
  });

  it('releases the address of a deleted or lost load balancer', () => {
    const balancers = createBalancers('10.0.0.4/32');
    balancers.ensure(withNodes(makeService('one')));
    expect(() => balancers.ensure(withNodes(makeService('two')))).toThrow(/all 1 addresses/);
    balancers.delete(request(makeService('one')));
    expect(balancers.ensure(withNodes(makeService('two')))).toEqual({ ingress: [{ ip: '10.0.0.4' }] });
    expect([balancers.lose('uid-two'), balancers.lose('uid-two')]).toEqual([true, false]);
    expect(balancers.ensure(withNodes(makeService('three')))).toEqual({ ingress: [{ ip: '10.0.0.4' }] });
  });
});
