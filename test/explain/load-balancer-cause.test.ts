import { describe, expect, it } from 'vitest';
import { explainService } from '../../src/explain/index.ts';
import { causeProblem } from '../../src/explain/load-balancer-cause.ts';
import { explainLoadBalancer } from '../../src/load-balancer/index.ts';
import type { LoadBalancerCause } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { balanced, balancedNode, failure } from './load-balancer-reason-fixtures.ts';

const cause: LoadBalancerCause = { code: 'LoadBalancerOfOtherClass', path: 'service.spec.loadBalancerClass', values: { class: 'a/b' } };

describe('causes of a load balancer that is pending', () => {
  it('are problems in the words of the reasons', () => {
    expect(causeProblem(cause, profileFor('1.28'))).toEqual({
      severity: 'info',
      code: 'LoadBalancerOfOtherClass',
      message: 'The load balancer is left to who sees to the class a/b: the service controller passes over a Service with a class.',
      path: 'service.spec.loadBalancerClass',
    });
  });

  it('stand among the other problems of the Service, by how bad they are', () => {
    const { problems } = explainService(makeService({ selector: { app: 'none' } }), [makePod()], { loadBalancing: () => [cause] });
    expect(problems.map(({ code }) => code)).toEqual(['SelectorMatchesNothing', 'LoadBalancerOfOtherClass']);
  });

  it('are asked of the Service that is explained, also of one without a selector', () => {
    const service = makeService({ selector: undefined });
    const { problems } = explainService(service, [], { loadBalancing: (asked) => (asked === service ? [cause] : []) });
    expect(problems.map(({ code }) => code)).toEqual(['ServiceHasNoSelector', 'LoadBalancerOfOtherClass']);
  });

  it('are none where they are not asked for', () => {
    expect(explainService(balanced(), [makePod()]).problems).toEqual([]);
  });

  it('are none of a Service that is well served', () => {
    const service = balanced({}, { status: { loadBalancer: { ingress: [{ ip: '10.9.0.1' }] } } });
    const events = [failure('no'), { type: 'Normal', reason: 'EnsuredLoadBalancer', lastTimestamp: '2026-01-31T12:01:00Z' }];
    const loadBalancing = () => explainLoadBalancer({ service, nodes: [balancedNode('a')], events });
    expect(explainService(service, [makePod()], { loadBalancing }).problems).toEqual([]);
  });
});
