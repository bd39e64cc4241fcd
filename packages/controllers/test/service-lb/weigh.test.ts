import { type BalancedService, cleanupFinalizer, createLoadBalancerPlanner, type LoadBalancerPlanner } from 'kube-endpoints/load-balancer';
import { expect, test } from 'vitest';
import { isClaimed, weigh } from '../../src/service-lb/claims.ts';

test('a change that cannot be weighed makes a sync due', () => {
  const planner = {
    serviceChanged() {
      throw new TypeError('ports are no list');
    },
  } as Partial<LoadBalancerPlanner> as LoadBalancerPlanner;
  expect(weigh(planner, undefined, {})).toEqual({ due: true, events: [] });
});

test.each<[string, BalancedService, boolean]>([
  ['a load balancer', { spec: { type: 'LoadBalancer' } }, true],
  ['one of another class', { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } }, false],
  ['no load balancer', { spec: { type: 'ClusterIP' } }, false],
  ['none any more, to be cleaned up', { metadata: { finalizers: [cleanupFinalizer] }, spec: { type: 'ClusterIP' } }, true],
])('a Service that is %s: %s', (_, service, claimed) => {
  expect(isClaimed(createLoadBalancerPlanner(), service)).toBe(claimed);
});
