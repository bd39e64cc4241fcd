import { describe, expect, it } from 'vitest';
import { type EndpointSpec, findChain, findOnlyChain, listOwnChains, makeWebService, rulesFor } from './fixtures.ts';

const threeEndpoints: readonly EndpointSpec[] = [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }, { ip: '10.1.0.3', node: 'n1' }];
const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }] } as const;

describe('under the policy Cluster, traffic', () => {
  it('is spread evenly over the endpoints', () => {
    const probabilities = findOnlyChain(rulesFor(makeWebService(), threeEndpoints), 'SVC')?.map(
      (rule) => /--probability (\S+)/.exec(rule)?.[1],
    );
    expect(probabilities).toEqual(['0.3333333333', '0.5000000000', undefined]);
  });

  it("returns to the client's previous endpoint with session affinity", () => {
    const affinityService = makeWebService({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } });
    const rules = rulesFor(affinityService, threeEndpoints);
    const recentRules = findOnlyChain(rules, 'SVC')?.filter((rule) => rule.includes('-m recent'));
    expect(recentRules).toHaveLength(3);
    for (const rule of recentRules ?? []) expect(rule).toMatch(/--name (KUBE-SEP-\w+) --rcheck --seconds 60 --reap -j \1$/);
    const endpoint = listOwnChains(rules).find((name) => name.startsWith('KUBE-SEP-')) as string;
    expect(findChain(rules, 'nat', endpoint)?.[1]).toContain(`-m recent --name ${endpoint} --set -m tcp -p tcp -j DNAT`);
  });

  it('is masqueraded only from outside of the pod range, always or never, as configured', () => {
    const firstRule = (more: object): string | undefined => findOnlyChain(rulesFor(makeWebService(), threeEndpoints, more), 'SVC')?.[0];
    expect(firstRule({ podCIDRs: ['10.1.0.0/16'] })).toMatch(/--dport 80 ! -s 10\.1\.0\.0\/16 -j KUBE-MARK-MASQ$/);
    expect(firstRule({ podCIDRs: ['10.1.0.0/16'], masqueradeAll: true })).toMatch(/--dport 80 -j KUBE-MARK-MASQ$/);
    expect(firstRule({})).not.toContain('KUBE-MARK-MASQ');
  });
});

describe('under the policy Local, traffic', () => {
  it('reaches endpoints of the node', () => {
    const rules = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), threeEndpoints);
    expect(findOnlyChain(rules, 'SVL')).toEqual([expect.stringMatching(/"shop\/web:http -> 10\.1\.0\.3:8080" -j KUBE-SEP-/)]);
    expect(findOnlyChain(rules, 'SVC')).toBeUndefined();
    expect(listOwnChains(rules).filter((name) => name.startsWith('KUBE-SEP-'))).toHaveLength(1);
  });

  it('from outside reaches endpoints of the node, and from pods and the node itself all endpoints', () => {
    const rules = rulesFor(makeWebService({ ...nodePort, externalTrafficPolicy: 'Local' }), threeEndpoints, { podCIDRs: ['10.1.0.0/16'] });
    expect(findOnlyChain(rules, 'EXT')?.map((rule) => rule.replace(/^.*" /, ''))).toEqual([
      expect.stringMatching(/^-s 10\.1\.0\.0\/16 -j KUBE-SVC-/),
      '-m addrtype --src-type LOCAL -j KUBE-MARK-MASQ',
      expect.stringMatching(/^-m addrtype --src-type LOCAL -j KUBE-SVC-/),
      expect.stringMatching(/^-j KUBE-SVL-/),
    ]);
  });
});

it('external traffic under the policy Cluster is masqueraded', () => {
  expect(findOnlyChain(rulesFor(makeWebService(nodePort), threeEndpoints), 'EXT')).toEqual([
    '-m comment --comment "masquerade traffic for shop/web:http external destinations" -j KUBE-MARK-MASQ',
    expect.stringMatching(/^-j KUBE-SVC-/),
  ]);
});

describe('source ranges', () => {
  const withRanges = (loadBalancerSourceRanges: readonly string[]) =>
    makeWebService({ ...nodePort, type: 'LoadBalancer', loadBalancerSourceRanges }, { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } });
  const allowedSources = (ranges: readonly string[]) =>
    findOnlyChain(rulesFor(withRanges(ranges), threeEndpoints), 'FW')?.map((rule) => /-s (\S+) -j KUBE-EXT-/.exec(rule)?.[1]);

  it('allow traffic from any of the ranges', () => {
    expect(allowedSources(['203.0.113.0/24', '198.51.100.0/24'])).toEqual(['203.0.113.0/24', '198.51.100.0/24', undefined]);
  });

  it("allow the load balancer's address if the node is in one of the ranges", () => {
    expect(allowedSources(['192.168.0.0/16'])).toEqual(['192.168.0.0/16', '203.0.113.9', undefined]);
  });
});

it('traffic of a pod to itself is masqueraded', () => {
  const rules = rulesFor(makeWebService(), [{ ip: '10.1.0.1' }]);
  const endpoint = listOwnChains(rules).find((name) => name.startsWith('KUBE-SEP-')) as string;
  expect(findChain(rules, 'nat', endpoint)).toEqual([
    '-m comment --comment shop/web:http -s 10.1.0.1 -j KUBE-MARK-MASQ',
    '-m comment --comment shop/web:http -m tcp -p tcp -j DNAT --to-destination 10.1.0.1:8080',
  ]);
});

it('rules of endpoints have no comments beyond 1,000 endpoints', () => {
  const endpoints = (count: number): EndpointSpec[] => Array.from({ length: count }, (_, i) => ({ ip: `10.1.${i >> 8}.${i & 255}` }));
  const countComments = (count: number): number =>
    findOnlyChain(rulesFor(makeWebService(), endpoints(count)), 'SVC')?.filter((rule) => rule.includes('--comment')).length ?? -1;
  expect(countComments(1000)).toBe(1000);
  expect(countComments(1001)).toBe(0);
});
