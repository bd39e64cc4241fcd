import { describe, expect, it } from 'vitest';
import { createNodeView, type NftablesRules, nftablesRules, type ProxyNode, type ProxyService } from '../../../src/proxy/index.ts';
import { type EndpointSpec, makeNodeView, makeSlice, makeWebService, node } from '../fixtures.ts';

const rulesFor = (service: ProxyService, endpoints: readonly EndpointSpec[], more: Partial<ProxyNode> = {}): NftablesRules =>
  nftablesRules(makeNodeView(service, endpoints), { ...node, ...more });
/** The rules of chains whose names match, with the hashes removed from the names. */
const chains = (rules: NftablesRules, start: RegExp): Record<string, string[]> =>
  Object.fromEntries(
    rules.chains
      .filter(({ name }) => start.test(name))
      .map(({ name, rules: list }) => [withoutHash(name), list.map(({ text }) => withoutHash(text))]),
  );
const withoutHash = (text: string): string => text.replaceAll(/-[A-Z2-7]{8}-shop\/web\/tcp\/http/g, '');
const elements = (rules: NftablesRules, name: string): string[] =>
  [...rules.sets, ...rules.maps]
    .find((each) => each.name === name)
    ?.elements.map(({ key, value }) => withoutHash(value === undefined ? key : `${key} : ${value}`)) ?? ['none'];

const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };
const loadBalancerService = (spec: ProxyService['spec'] = {}) =>
  makeWebService(
    { type: 'LoadBalancer', loadBalancerSourceRanges: ['203.0.113.0/24', '192.168.0.0/16'], ...spec },
    { loadBalancer: { ingress: [{ ip: '198.51.100.1' }] } },
  );

describe('a cluster IP', () => {
  it('is translated to one of its endpoints', () => {
    const rules = rulesFor(makeWebService(), [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }]);
    expect(elements(rules, 'service-ips')).toEqual(['10.96.0.1 . tcp . 80 : goto service']);
    expect(elements(rules, 'cluster-ips')).toEqual(['10.96.0.1']);
    expect(elements(rules, 'no-endpoint-services')).toEqual([]);
    expect(chains(rules, /\//)).toEqual({
      service: ['meta l4proto tcp dnat ip addr . port to numgen random mod 2 map { 0 : 10.0.0.1 . 8080 , 1 : 10.0.0.2 . 8080 }'],
    });
  });

  it('is rejected without endpoints, and dropped if only other nodes have some', () => {
    const rulesWithoutEndpoint = rulesFor(makeWebService(), [{ ip: '10.0.0.1', ready: false }]);
    expect(elements(rulesWithoutEndpoint, 'no-endpoint-services')).toEqual(['10.96.0.1 . tcp . 80 : goto reject-chain']);
    expect(rulesWithoutEndpoint.maps.find(({ name }) => name === 'no-endpoint-services')?.elements[0]?.comment).toBe('shop/web:http');
    const rulesWithRemoteEndpoint = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), [{ ip: '10.0.0.1' }]);
    expect(elements(rulesWithRemoteEndpoint, 'no-endpoint-services')).toEqual(['10.96.0.1 . tcp . 80 : drop']);
    expect(chains(rulesWithRemoteEndpoint, /\//)).toEqual({});
  });

  it('is translated to endpoints of the node under the policy Local', () => {
    const rules = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), [{ ip: '10.0.0.1' }, { ip: '10.0.0.2', node: 'n1' }]);
    expect(elements(rules, 'service-ips')).toEqual(['10.96.0.1 . tcp . 80 : goto local']);
    expect(Object.keys(chains(rules, /\//))).toEqual(['local']);
  });
});

describe('traffic from outside', () => {
  it('is masqueraded under the policy Cluster, because it may leave the node again', () => {
    const rules = rulesFor(makeWebService(nodePort), [{ ip: '10.0.0.1' }]);
    expect(elements(rules, 'service-nodeports')).toEqual(['tcp . 30080 : goto external']);
    expect(chains(rules, /^external/)).toEqual({ external: ['mark set mark or 0x00004000', 'goto service'] });
  });

  it('keeps its source under the policy Local, except for in-cluster clients', () => {
    const localService = makeWebService({ ...nodePort, externalTrafficPolicy: 'Local' });
    const shortcutRules = ['fib saddr type local mark set mark or 0x00004000', 'fib saddr type local goto service'];
    expect(chains(rulesFor(localService, [{ ip: '10.0.0.1', node: 'n1' }]), /^external/)).toEqual({
      external: ['ip saddr 10.0.0.0/8 goto service', ...shortcutRules, 'goto local'],
    });
    expect(chains(rulesFor(localService, [{ ip: '10.0.0.1' }], { podCIDRs: [] }), /^external/)).toEqual({ external: shortcutRules });
    expect(elements(rulesFor(localService, [{ ip: '10.0.0.1' }]), 'no-endpoint-nodeports')).toEqual(['tcp . 30080 : drop']);
  });

  it('accepts external IPs and load balancer addresses, and checks source ranges only for the latter', () => {
    const rules = rulesFor(loadBalancerService({ externalIPs: ['198.51.100.7', '198.51.100.1'] }), [{ ip: '10.0.0.1' }]);
    expect(elements(rules, 'service-ips')).toEqual([
      '10.96.0.1 . tcp . 80 : goto service',
      '198.51.100.1 . tcp . 80 : goto external',
      '198.51.100.7 . tcp . 80 : goto external',
    ]);
    expect(elements(rules, 'firewall-ips')).toEqual(['198.51.100.1 . tcp . 80 : goto firewall']);
  });

  it("accepts the load balancer's address as its source if the node is in the source ranges", () => {
    const firewall = (more: Partial<ProxyNode>) =>
      chains(rulesFor(loadBalancerService(), [{ ip: '10.0.0.1' }], more), /^firewall-\w{8}-shop/)['firewall'];
    expect(firewall({})).toEqual(['ip saddr != { 203.0.113.0/24 , 192.168.0.0/16 , 198.51.100.1 } drop']);
    expect(firewall({ addresses: ['172.16.0.1'] })).toEqual(['ip saddr != { 203.0.113.0/24 , 192.168.0.0/16 } drop']);
  });
});

describe('session affinity', () => {
  it('uses a chain and a set of clients for each endpoint', () => {
    const affinityService = makeWebService({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } });
    const rules = rulesFor(affinityService, [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }]);
    const [one, two] = ['__10.0.0.1/8080', '__10.0.0.2/8080'];
    expect(chains(rules, /\//)).toEqual({
      [`endpoint${one}`]: [`update @affinity${one} { ip saddr }`, 'meta l4proto tcp dnat to 10.0.0.1:8080'],
      [`endpoint${two}`]: [`update @affinity${two} { ip saddr }`, 'meta l4proto tcp dnat to 10.0.0.2:8080'],
      service: [
        `ip saddr @affinity${one} goto endpoint${one}`,
        `ip saddr @affinity${two} goto endpoint${two}`,
        `numgen random mod 2 vmap { 0 : goto endpoint${one} , 1 : goto endpoint${two} }`,
      ],
    });
    expect(rules.sets.filter(({ name }) => name.startsWith('affinity-'))).toEqual([
      expect.objectContaining({ type: 'ipv4_addr', flags: ['dynamic', 'timeout'], timeoutSeconds: 60, elements: [] }),
      expect.objectContaining({ timeoutSeconds: 60 }),
    ]);
  });
});

describe('a node', () => {
  it('masquerades connections of a local pod to itself through its Service', () => {
    expect(elements(rulesFor(makeWebService(), [{ ip: '10.0.0.1', node: 'n1' }, { ip: '10.0.0.2' }]), 'hairpin-connections')).toEqual([
      '10.0.0.1 . 10.0.0.1 . tcp . 8080',
    ]);
  });

  it('masquerades traffic to cluster IPs as configured', () => {
    const services = (more: Partial<ProxyNode>) => chains(rulesFor(makeWebService(), [], more), /^services$/)['services']?.[0];
    expect(services({})).toBe('ip daddr @cluster-ips ip saddr != 10.0.0.0/8 mark set mark or 0x00004000');
    expect(services({ masqueradeAll: true, masqueradeBit: 0 })).toBe('ip daddr @cluster-ips mark set mark or 0x00000001');
    expect(services({ podCIDRs: [] })).toBe('ip daddr . meta l4proto . th dport vmap @service-ips');
  });

  it('serves node ports at all its addresses except loopback, or at the configured addresses', () => {
    const nodePortRule = (more: Partial<ProxyNode>) =>
      chains(rulesFor(makeWebService(nodePort), [], more), /^services$/)['services']?.at(-1);
    expect(nodePortRule({})).toBe('fib daddr type local ip daddr != 127.0.0.0/8 meta l4proto . th dport vmap @service-nodeports');
    const range = { nodePortAddresses: ['192.168.0.0/24'] };
    expect(nodePortRule(range)).toBe('ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports');
    expect(elements(rulesFor(makeWebService(nodePort), [], range), 'nodeport-ips')).toEqual(['192.168.0.1']);
    expect(elements(rulesFor(makeWebService(nodePort), []), 'nodeport-ips')).toEqual(['none']);
  });

  it('drops traffic to unassigned cluster IPs if the service CIDRs are known', () => {
    const check = (more: Partial<ProxyNode>) => chains(rulesFor(makeWebService(), [], more), /^cluster-ips-check$/)['cluster-ips-check'];
    expect(check({})).toEqual(['ip daddr @cluster-ips reject', 'ip daddr { 10.96.0.0/16 } drop']);
    expect(check({ serviceCIDRs: [] })).toEqual(['ip daddr @cluster-ips reject']);
  });
});

it('nftablesRules gives an address that two ports share to the first port sorted by name, regardless of their order in the view', () => {
  const serviceWithSharedIP = (name: string, clusterIP: string) =>
    makeWebService({ clusterIP, externalIPs: ['198.51.100.1'] }, undefined, name);
  const services = [serviceWithSharedIP('b', '10.96.0.2'), serviceWithSharedIP('a', '10.96.0.1')];
  const nodeView = createNodeView(
    { services, endpointSlices: [makeSlice([{ ip: '10.0.0.1' }], 'IPv4', 'x', 'a'), makeSlice([{ ip: '10.0.0.1' }], 'IPv4', 'y', 'b')] },
    node,
  );
  for (const ports of [nodeView.ports, [...nodeView.ports].reverse()]) {
    const rules = nftablesRules({ ...nodeView, ports }, node);
    expect(elements(rules, 'service-ips')[2]).toMatch(/^198\.51\.100\.1 \. tcp \. 80 : goto external-\w{8}-shop\/a\/tcp\/http$/);
  }
});

it('nftablesRules returns a separate table for IPv6', () => {
  const ipv6Service = makeWebService({ clusterIP: 'fd00:96::1', ipFamilies: ['IPv6'], clusterIPs: ['fd00:96::1'] });
  const rules = nftablesRules(makeNodeView(ipv6Service, [{ ip: 'fd00:10::1' }], 'IPv6'), node);
  expect(rules.table.family).toBe('ip6');
  expect(elements(rules, 'service-ips')).toEqual(['fd00:96::1 . tcp . 80 : goto service']);
  expect(chains(rules, /^service-.*\//)['service']).toEqual(['meta l4proto tcp dnat to [fd00:10::1]:8080']);
});
