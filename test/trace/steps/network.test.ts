import { describe, expect, it } from 'vitest';
import type { NetworkPolicy } from '../../../src/policy/index.ts';
import { makeCluster, makePod, makeService, runTrace, stepOf } from '../shop.ts';

const policy = (name: string, spec: NetworkPolicy['spec'], namespace = 'shop'): NetworkPolicy => ({ metadata: { name, namespace }, spec });
const client = makePod('front/client-1', 9);
const cluster = makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2), client]);
const namespaces = [{ metadata: { name: 'shop' } }, { metadata: { name: 'front' } }];
const fromFront = { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'front' } } }] };
const onlyWeb1 = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };

const fromClient = { from: 'front/pod/client-1' };

const networkOf = (policies: readonly NetworkPolicy[], from?: string, target = 'web.shop') => {
  const objects = { ...cluster, namespaces, policies: { networkPolicies: policies } };
  const result = runTrace(target, objects, from === undefined ? {} : { from });
  const step = result.steps.find(({ stage }) => stage === 'network');
  return { outcome: result.outcome, step: step?.outcome, codes: step?.notes.map(({ code }) => code), cause: result.cause?.code };
};

describe('the step of network policies', () => {
  it.each([
    ['is absent without policies', [], undefined, ['reached', undefined, undefined, undefined]],
    [
      'is ok if no policy selects the pods',
      [policy('x', {}, 'other')],
      'front/pod/client-1',
      ['reached', 'ok', ['NoPoliciesApply'], undefined],
    ],
    [
      'is ok if a rule allows the client',
      [policy('x', { ingress: [fromFront] })],
      'front/pod/client-1',
      ['reached', 'ok', ['PoliciesAllow'], undefined],
    ],
    [
      'is an error if no rule allows the client',
      [policy('x', {})],
      'front/pod/client-1',
      ['unreachable', 'error', ['PoliciesDeny', 'PoliciesDenyMore'], 'PoliciesDeny'],
    ],
    [
      'is an error if the egress of the client is denied',
      [policy('x', { policyTypes: ['Egress'] }, 'front')],
      'front/pod/client-1',
      ['unreachable', 'error', ['PoliciesDeny', 'PoliciesDenyMore'], 'PoliciesDeny'],
    ],
    [
      'is an error without a client if no rule allows the port',
      [policy('x', { ingress: [{ ports: [{ port: 1 }] }] })],
      undefined,
      ['unreachable', 'error', ['PoliciesDeny', 'PoliciesDenyMore'], 'PoliciesDeny'],
    ],
    [
      'is unknown without a client if a rule may allow it',
      [policy('x', { ingress: [fromFront] })],
      undefined,
      ['reached', 'unknown', ['ClientUnknownToPolicies'], undefined],
    ],
    [
      'is ok without a client if no policy selects the pods',
      [policy('x', {}, 'other')],
      undefined,
      ['reached', 'ok', ['NoPoliciesApply'], undefined],
    ],
  ] as const)('%s', (_, policies, from, [outcome, step, codes, cause]) => {
    expect(networkOf(policies, from)).toStrictEqual({ outcome, step, codes, cause });
  });

  it('is a warning if some of the endpoints may not be reached, and names them', () => {
    const selected = policy('x', { podSelector: { matchLabels: { only: 'web-1' } } });
    const labelled = makePod('web-1', 1, { metadata: { labels: { app: 'web', only: 'web-1' } } });
    const objects = {
      ...makeCluster([makeService('web')], [labelled, makePod('web-2', 2), client]),
      namespaces,
      policies: { networkPolicies: [selected] },
    };
    const result = runTrace('web.shop', objects, fromClient);
    const step = stepOf(result, 'network');
    expect([result.outcome, step.outcome, step.chosen.map(({ id }) => id), step.leftOut.map(({ id }) => id)]).toStrictEqual([
      'degraded',
      'warning',
      ['pod/shop/web-2'],
      ['pod/shop/web-1'],
    ]);
  });

  it('is evaluated for the address of a pod', () => {
    const result = runTrace('10.1.0.1:8080', { ...cluster, namespaces, policies: { networkPolicies: [policy('x', {})] } }, fromClient);
    expect([result.outcome, stepOf(result, 'network').outcome]).toStrictEqual(['unreachable', 'error']);
  });

  it('is evaluated for the endpoints of a headless Service, with the port of the target', () => {
    const headless = makeService('web', { clusterIP: 'None', clusterIPs: ['None'] });
    const ingress = [{ ports: [{ port: 8080 }] }];
    const objects = {
      ...makeCluster([headless], [makePod('web-1', 1), client]),
      namespaces,
      policies: { networkPolicies: [policy('x', { ingress })] },
    };
    expect(stepOf(runTrace('web.shop:8080', objects, fromClient), 'network').outcome).toBe('ok');
    const other = { ...objects, policies: { networkPolicies: [policy('x', { ingress: [{ ports: [{ port: 9 }] }] })] } };
    expect(stepOf(runTrace('web.shop:8080', other, fromClient), 'network').outcome).toBe('error');
  });

  it('reports what the specifications leave open as unknown', () => {
    const onHost = makePod('front/client-1', 9, { spec: { hostNetwork: true, nodeName: 'n9' } as never });
    const objects = {
      ...makeCluster([makeService('web')], [makePod('web-1', 1), onHost]),
      namespaces,
      policies: { networkPolicies: [policy('x', { podSelector: onlyWeb1, ingress: [fromFront] })] },
    };
    const step = stepOf(runTrace('web.shop', objects, fromClient), 'network');
    expect([step.outcome, step.notes.map(({ code }) => code)]).toStrictEqual(['unknown', ['PoliciesUndecided']]);
  });
});
