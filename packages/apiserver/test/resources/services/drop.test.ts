import { expect, test } from 'vitest';
import { dropTypeDependentFields } from '../../../src/resources/services/drop.ts';

const balanced = { type: 'LoadBalancer', loadBalancerClass: 'a', allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' };

test('lets go what belonged to the former type', () => {
  const draft = { spec: { ...balanced, type: 'ClusterIP' }, status: { loadBalancer: {} } };
  dropTypeDependentFields(draft, { spec: balanced });
  expect(draft).toEqual({ spec: { type: 'ClusterIP' } });
});

test('keeps what the update touched, and what the type has', () => {
  const touched = { spec: { ...balanced, type: 'ClusterIP', loadBalancerClass: 'b' } };
  dropTypeDependentFields(touched, { spec: balanced });
  expect(touched.spec).toEqual({ type: 'ClusterIP', loadBalancerClass: 'b' });
  const same = { spec: { ...balanced }, status: {} };
  dropTypeDependentFields(same, { spec: balanced });
  expect(same).toEqual({ spec: balanced, status: {} });
});
