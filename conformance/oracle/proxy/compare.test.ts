import { describe, expect, it } from 'vitest';
import type { ProxyAnswer } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateProxy } from './generate.ts';
import { replayProxy } from './replay.ts';

describe('generateProxy', () => {
  it('generates the same nodes for a seed, independent of the first number', () => {
    const generatedCases = [...generateProxy(3, 20)];
    expect([...generateProxy(3, 5, 10)]).toStrictEqual(generatedCases.slice(10, 15));
    expect(new Set(generatedCases.map(({ id: _, ...world }) => JSON.stringify(world))).size).toBe(20);
  });

  it('repeats some cases because their answers are random, and compares only the views in some others', () => {
    const generatedCases = [...generateProxy(3, 300)];
    const [repeated, viewsOnly] = [
      generatedCases.filter(({ tries }) => tries !== undefined),
      generatedCases.filter(({ rules }) => rules.length === 0),
    ];
    expect([repeated.length > 10, repeated.length < 60, viewsOnly.length > 10, viewsOnly.length < 60]).toStrictEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('generates nodes that cover all features of views', () => {
    const answers = [...generateProxy(5, 300)].map((world) => replayProxy(world));
    const ports = answers.flatMap(({ families }) => [...families.IPv4.ports, ...families.IPv6.ports]) as readonly Record<string, unknown>[];
    const valuesOf = (field: string): Set<unknown> => new Set(ports.map((port) => port[field]));
    for (const field of ['externalPolicyLocal', 'internalPolicyLocal', 'externallyAccessible', 'usesLocalEndpoints', 'hasAny']) {
      expect(valuesOf(field), field).toStrictEqual(new Set([true, false]));
    }
    expect(valuesOf('sessionAffinity')).toStrictEqual(new Set(['None', 'ClientIP']));
    expect(valuesOf('protocol')).toStrictEqual(new Set(['TCP', 'UDP', 'SCTP']));
    const narrowed = ports.filter(({ cluster, endpoints }) => Array.isArray(cluster) && cluster.length < (endpoints as unknown[]).length);
    expect(narrowed.length).toBeGreaterThan(50);
    expect(ports.filter(({ local }) => local === null).length).toBeGreaterThan(20);
  });

  it('adds Endpoints for releases before 1.22, of which some contain an address twice, without changing the rest', () => {
    const worlds = [...generateProxy(5, 200, 0, true)];
    expect([...generateProxy(5, 200)].some(({ endpoints }) => endpoints)).toBe(false);
    expect(worlds.map(({ services, endpointSlices }) => [services, endpointSlices])).toStrictEqual(
      [...generateProxy(5, 200)].map(({ services, endpointSlices }) => [services, endpointSlices]),
    );
    const ports = worlds.flatMap(
      (world) => replayProxy({ ...world, rules: [] }, '1.18').families.IPv4.ports,
    ) as unknown as readonly EndpointsOfPort[];
    const lists = ports.map(({ endpoints }) => endpoints).filter(({ length }) => length > 0);
    expect(lists.length).toBeGreaterThan(100);
    expect(lists.filter((list) => new Set(list).size < list.length).length).toBeGreaterThan(5);
  });

  it('generates nodes whose rules contain every kind of chain', () => {
    const chains = [...generateProxy(5, 120)].flatMap((world) => Object.keys(replayProxy(world).families.IPv4.iptables?.['nat'] ?? {}));
    const kinds = new Set(chains.map((chain) => /^KUBE-(?:SVC|SVL|FW|EXT|SEP)-/.exec(chain)?.[0]));
    expect(kinds).toStrictEqual(new Set([undefined, 'KUBE-SVC-', 'KUBE-SVL-', 'KUBE-FW-', 'KUBE-EXT-', 'KUBE-SEP-']));
  });
});

interface EndpointsOfPort {
  readonly endpoints: readonly string[];
}

describe('firstDifference', () => {
  const family = { ports: [{ name: 'default/web', protocol: 'TCP' }], healthCheckNodePorts: {}, localReady: {}, nftables: ['a', 'b'] };
  const answer: ProxyAnswer = { id: '1', families: { IPv4: family, IPv6: { ...family, iptables: { nat: { X: ['r'], Y: ['s'] } } } } };

  it('returns undefined for equal answers', () => {
    expect(firstDifference(answer, structuredClone(answer))).toBeUndefined();
  });

  it('returns the differing content of the first part that differs', () => {
    const { IPv4, IPv6 } = answer.families;
    const other = { ...answer, families: { IPv4, IPv6: { ...IPv6, iptables: { nat: { X: ['r', 't'], Y: ['s'] } } } } };
    const [theirs, ours] = [{ nat: { X: [] } }, { nat: { X: ['t'] } }];
    expect(firstDifference(answer, other)).toStrictEqual({ path: 'IPv6 iptables', theirs, ours });
    const shorter = { ...answer, families: { IPv6, IPv4: { ...IPv4, nftables: ['a', 'c'] } } };
    expect(firstDifference(answer, shorter)).toStrictEqual({ path: 'IPv4 nftables', theirs: ['b'], ours: ['c'] });
  });

  it('returns a complete list if only its order differs', () => {
    const { IPv4, IPv6 } = answer.families;
    const other = { ...answer, families: { IPv6, IPv4: { ...IPv4, nftables: ['b', 'a'] } } };
    expect(firstDifference(answer, other)).toStrictEqual({ path: 'IPv4 nftables', theirs: ['a', 'b'], ours: ['b', 'a'] });
  });

  it("accepts each part and each line of nftables that is in any of the release's answers", () => {
    const { IPv4, IPv6 } = answer.families;
    const theirs = { ...answer, families: { IPv6, IPv4: { ...IPv4, others: [{ ...IPv4, ports: [], nftables: ['c', 'd'] }] } } };
    const ours = (more: object) => ({ ...answer, families: { IPv6, IPv4: { ...IPv4, ...more } } });
    expect(firstDifference(theirs, ours({ ports: [], nftables: ['a', 'd'] }))).toBeUndefined();
    expect(firstDifference(theirs, ours({ localReady: { x: 1 } }))).toMatchObject({ path: 'IPv4 localReady' });
    expect(firstDifference(theirs, ours({ nftables: ['a', 'e'] }))).toMatchObject({ path: 'IPv4 nftables' });
    expect(firstDifference(theirs, ours({ nftables: ['a'] }))).toMatchObject({ path: 'IPv4 nftables' });
    const common = { ...answer, families: { IPv6, IPv4: { ...IPv4, others: [{ ...IPv4, nftables: ['a', 'd'] }] } } };
    expect(firstDifference(common, ours({ nftables: ['b', 'd'] }))).toMatchObject({ path: 'IPv4 nftables' });
  });

  it("accepts each port, Service and chain that is in any of the release's answers", () => {
    const { IPv6 } = answer.families;
    const familyWith = (a: number, b: number): typeof family & { iptables: object } => ({
      ...family,
      ports: [
        { name: 'a', protocol: `${a}` },
        { name: 'b', protocol: `${b}` },
      ],
      localReady: { a, b },
      iptables: { nat: { A: [`${a}`], B: [`${b}`] } },
    });
    const theirs = { ...answer, families: { IPv6, IPv4: { ...familyWith(1, 1), others: [familyWith(2, 2)] } } } as ProxyAnswer;
    const ours = (a: number, b: number, more: object = {}) =>
      ({ ...answer, families: { IPv6, IPv4: { ...familyWith(a, b), ...more } } }) as ProxyAnswer;
    expect(firstDifference(theirs, ours(1, 2))).toBeUndefined();
    expect(firstDifference(theirs, ours(1, 3))).toMatchObject({ path: 'IPv4 ports' });
    expect(firstDifference(theirs, ours(1, 2, { localReady: { a: 1 } }))).toMatchObject({ path: 'IPv4 localReady' });
    expect(firstDifference(theirs, ours(1, 2, { iptables: { nat: { A: ['1'] } } }))).toMatchObject({ path: 'IPv4 iptables' });
    const longer = { iptables: { nat: { A: ['1', '2'], B: ['1'] } } };
    expect(firstDifference(theirs, ours(1, 2, longer))).toMatchObject({ path: 'IPv4 iptables' });
  });

  it('ignores a family for which the release panics', () => {
    const panicking = { ...answer, families: { ...answer.families, IPv4: { ...family, error: 'panic' } } };
    const { IPv6 } = answer.families;
    expect(firstDifference(panicking, { ...answer, families: { IPv4: { ...family, nftables: [] }, IPv6 } })).toBeUndefined();
  });
});
