import { expect, test } from 'vitest';
import { compareLoadBalancers } from '../../src/load-balancer/index.ts';

const service = (spec: object = {}) => ({ metadata: { namespace: 'shop', name: 'web' }, spec: { type: 'LoadBalancer', ...spec } });
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const nodes = [
  { metadata: { name: 'n1' }, spec: { providerID: 'x' }, status: ready },
  { metadata: { name: 'n2' }, spec: { providerID: 'y' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } },
];
const compare = (from: string, to: string, spec?: object, knownNodes: typeof nodes | undefined = nodes) =>
  compareLoadBalancers(service(spec), knownNodes, { version: from }, { version: to });

test('compareLoadBalancers finds other nodes', () => {
  expect(compare('1.26.15', '1.30')).toStrictEqual([{ what: 'nodes', before: ['n1'], after: ['n1', 'n2'], gates: ['stableNodeSet'] }]);
  expect(compareLoadBalancers(service(), undefined, { version: '1.26.15' }, { version: '1.30' })).toStrictEqual([]);
});

test('compareLoadBalancers finds the finalizer, and Services that are left to other controllers', () => {
  expect(compare('1.15', '1.16', {})).toContainEqual({ what: 'finalizer', before: [], after: ['yes'], gates: ['finalizerAdded'] });
  expect(compare('1.20', '1.21', { loadBalancerClass: 'example.com/lb' })).toContainEqual({
    what: 'provided',
    before: ['yes'],
    after: [],
    gates: ['servicesWithClassSkipped'],
  });
  expect(compare('1.9', '1.37', { type: 'ClusterIP' })).toStrictEqual([]);
});
