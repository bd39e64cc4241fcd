import { evaluateTraffic } from 'kube-endpoints/policy';
import { describe, expect, it } from 'vitest';
import type { EngineVerdict, PolicyAnswer, PolicyWorld } from './case.ts';
import { comparePolicy } from './compare.ts';
import { generatePolicy } from './generate.ts';
import { toClusterNetworkPolicy } from './replay.ts';

describe('generatePolicy', () => {
  it('generates the same worlds for a seed, independent of the first number', () => {
    const worlds = [...generatePolicy(3, 20)];
    expect([...generatePolicy(3, 5, 10)]).toStrictEqual(worlds.slice(10, 15));
    expect(new Set(worlds.map(({ id: _, ...world }) => JSON.stringify(world))).size).toBe(20);
  });
});

describe('toClusterNetworkPolicy', () => {
  it('creates policies with the same verdicts', () => {
    for (const world of generatePolicy(4, 40)) {
      const { adminNetworkPolicies, baselineAdminNetworkPolicies, probes, id: _, ...objects } = world;
      const clusterNetworkPolicies = [
        ...adminNetworkPolicies.map((policy) => toClusterNetworkPolicy(policy, 'Admin')),
        ...baselineAdminNetworkPolicies.map((policy) => toClusterNetworkPolicy(policy, 'Baseline')),
      ];
      for (const probe of probes)
        expect(evaluateTraffic(probe, { ...objects, clusterNetworkPolicies }).allowed).toBe(evaluateTraffic(probe, world).allowed);
    }
  });
});

describe('comparePolicy', () => {
  const pod = { metadata: { namespace: 'shop', name: 'a' }, status: { podIPs: [{ ip: '10.0.0.1' }] } };
  const world = (spec: object): PolicyWorld => ({
    id: '1-policy-0',
    namespaces: [{ metadata: { name: 'shop' } }],
    pods: [pod],
    nodes: [],
    networkPolicies: [{ metadata: { namespace: 'shop', name: 'p' }, spec }],
    adminNetworkPolicies: [],
    baselineAdminNetworkPolicies: [],
    probes: [{ from: { ip: '8.8.8.8' }, to: { pod: 'shop/a', ip: '10.0.0.1' }, port: 80, protocol: 'TCP' }],
  });
  const answer = (controller: EngineVerdict, matcher: EngineVerdict): PolicyAnswer => ({
    id: '1-policy-0',
    probes: [{ controller, matcher }],
  });
  const [allowed, denied] = [
    { egress: true, ingress: true },
    { egress: true, ingress: false },
  ];

  it('counts equal directions, and deviations by name', () => {
    const { counts, difference } = comparePolicy(world({ ingress: [] }), answer(allowed, denied));
    expect(difference).toBeUndefined();
    expect(counts).toStrictEqual({
      'controller: equal': 1,
      'controller: an empty list of rules allows everything': 1,
      'matcher: equal': 2,
    });
  });

  it('returns a difference that no deviation explains', () => {
    expect(comparePolicy(world({}), answer(allowed, denied)).difference).toMatchObject({
      path: 'controller, probe 0, ingress',
      theirs: true,
    });
  });

  it('does not compare engines that fail', () => {
    const { counts, difference } = comparePolicy(world({}), answer({ ...allowed, error: 'an end has no address' }, denied));
    expect([counts['controller: not evaluated'], difference]).toStrictEqual([2, undefined]);
  });

  it('returns a difference if an open question is not one of the engine', () => {
    const spec = { ingress: [{ from: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] };
    expect(comparePolicy(world(spec), answer(allowed, denied)).counts['controller: open CIDRAmbiguous']).toBe(1);
    expect(comparePolicy(world(spec), answer(denied, denied)).difference).toMatchObject({ path: 'controller, probe 0, ingress' });
  });
});
