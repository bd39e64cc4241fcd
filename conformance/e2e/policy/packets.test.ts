import { describe, expect, it } from 'vitest';
import type { PolicyWorld } from '../../oracle/policy/case.ts';
import { comparePackets } from './compare.ts';
import { listProbes, type PacketProbe } from './probes.ts';
import { generateWorlds, toEngineWorld } from './worlds.ts';

const createWorld = (changes: Partial<PolicyWorld>): PolicyWorld => ({
  id: '1-policy-0',
  namespaces: [{ metadata: { name: 'shop' } }],
  pods: ['a', 'b'].map((name, i) => ({
    metadata: { namespace: 'shop', name },
    spec: { nodeName: 'n1' },
    status: { podIPs: [{ ip: `10.0.0.${i + 1}` }] },
  })),
  nodes: [],
  networkPolicies: [],
  adminNetworkPolicies: [],
  baselineAdminNetworkPolicies: [],
  probes: [],
  ...changes,
});

describe('generateWorlds', () => {
  it('generates the same worlds for a seed, independent of the first number', () => {
    const worlds = [...generateWorlds(3, 20)];
    const first = Number(worlds[10]?.id.split('-').at(-1));
    expect([...generateWorlds(3, 5, first)]).toStrictEqual(worlds.slice(10, 15));
  });

  it('leaves out named ports and empty peers of admin rules', () => {
    const text = JSON.stringify([...generateWorlds(3, 40)].map(({ adminNetworkPolicies }) => adminNetworkPolicies));
    expect(text).toContain('portNumber');
    expect([text.includes('namedPort'), text.includes('[{}')]).toStrictEqual([false, false]);
  });
});

describe('toEngineWorld', () => {
  it('replaces peers by node with the addresses of the nodes', () => {
    const rules = (to: object[]): object[] => [{ metadata: { name: 'p' }, spec: { egress: [{ action: 'Deny', to }] } }];
    const nodes = ['a', 'b'].map((zone, i) => ({
      metadata: { name: `n${i}`, labels: { zone } },
      status: { addresses: [{ address: `192.168.0.${i}` }, { address: 'fd00::9' }, { address: 'name' }] },
    }));
    const world = createWorld({ nodes, adminNetworkPolicies: rules([{ nodes: { matchLabels: { zone: 'b' } } }]) });
    expect(toEngineWorld(world).adminNetworkPolicies).toMatchObject(rules([{ networks: ['192.168.0.1/32', 'fd00::9/128'] }]));
  });

  it('removes empty lists of rules', () => {
    const spec = { policyTypes: ['Ingress'], ingress: [], egress: [{}] };
    const { networkPolicies } = toEngineWorld(createWorld({ networkPolicies: [{ spec }] }));
    expect(networkPolicies).toStrictEqual([{ spec: { policyTypes: ['Ingress'], egress: [{}] } }]);
  });
});

describe('listProbes', () => {
  it('lists the same connections for a seed: most for pairs of pods', () => {
    const world = createWorld({});
    const probes = listProbes(world, 1);
    expect(probes).toStrictEqual(listProbes(world, 1));
    // All for each of the two pairs, three in both directions between two pods and three other hosts, and one for each pod and itself.
    expect(probes.length).toBe(2 * 18 + 2 * 3 * 2 * 3 + 2);
  });
});

describe('comparePackets', () => {
  const [from, to] = [
    { pod: 'shop/a', ip: '10.0.0.1' },
    { pod: 'shop/b', ip: '10.0.0.2' },
  ];
  const probe: PacketProbe = { source: 'p0-n1', target: 'p1-n1', from, to, port: 80, protocol: 'TCP' };
  const compare = (world: PolicyWorld, result: string): number[] => {
    const { allowed, denied, mismatches } = comparePackets(world, [probe], { id: '', packets: 1, results: [result] });
    return [allowed, denied, mismatches.length];
  };
  const denying = createWorld({ networkPolicies: [{ metadata: { namespace: 'shop', name: 'p' }, spec: { podSelector: {} } }] });

  it('accepts a reply of the target, and a rejection if the traffic is denied', () => {
    expect(compare(createWorld({}), 'p1-n1 80')).toStrictEqual([1, 0, 0]);
    expect(compare(denying, 'rejected')).toStrictEqual([0, 1, 0]);
  });

  it('reports other outcomes, replies of other namespaces, and errors', () => {
    for (const result of ['rejected', 'p2-n1 80', 'p1-n1 81', 'error: timeout'])
      expect(compare(createWorld({}), result)).toStrictEqual([0, 0, 1]);
    for (const result of ['p1-n1 80', 'error: timeout']) expect(compare(denying, result)).toStrictEqual([0, 0, 1]);
  });
});
