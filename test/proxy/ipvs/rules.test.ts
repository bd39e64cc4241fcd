import { describe, expect, it } from 'vitest';
import {
  createNodeView,
  formatDummyAddresses,
  formatIpSets,
  formatVirtualServers,
  type IpvsRules,
  ipvsRules,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { type EndpointSpec, makeSlice, makeWebService, node } from '../fixtures.ts';

interface Options {
  readonly fields?: Partial<ProxyNode>;
  readonly family?: IPFamily;
  readonly version?: string;
}

function rulesFor(
  service: ProxyService,
  endpoints: readonly EndpointSpec[],
  { fields, family = 'IPv4', version }: Options = {},
): IpvsRules {
  const proxyNode = { ...node, ...fields };
  const view = createNodeView({ services: [service], endpointSlices: [makeSlice(endpoints, family)] }, proxyNode, { family, version });
  return ipvsRules(view, proxyNode, { version });
}

const entriesIn = ({ sets }: IpvsRules, name: string): readonly string[] | undefined => sets.find((set) => set.name === name)?.entries;

const local = { ip: '10.0.0.1', node: 'n1' };
const remote = { ip: '10.0.0.2' };
const ports = [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }];
const loadBalancer = (spec: ProxyService['spec'] = {}): ProxyService =>
  makeWebService({ type: 'LoadBalancer', ports, ...spec }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } });

describe('the text of the rules', () => {
  const service = makeWebService({
    sessionAffinity: 'ClientIP',
    externalIPs: ['198.51.100.1', '192.168.0.1'],
    ports: [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  });
  const rules = rulesFor(service, [remote, local]);

  it('has virtual servers with their real servers, by protocol and address, as ipvsadm -Sn prints them', () => {
    expect(formatVirtualServers(rules).split('\n')).toStrictEqual([
      '-A -t 10.96.0.1:80 -s rr -p 10800',
      '-a -t 10.96.0.1:80 -r 10.0.0.1:8080 -m -w 1',
      '-a -t 10.96.0.1:80 -r 10.0.0.2:8080 -m -w 1',
      '-A -t 192.168.0.1:80 -s rr -p 10800',
      '-a -t 192.168.0.1:80 -r 10.0.0.1:8080 -m -w 1',
      '-a -t 192.168.0.1:80 -r 10.0.0.2:8080 -m -w 1',
      '-A -t 198.51.100.1:80 -s rr -p 10800',
      '-a -t 198.51.100.1:80 -r 10.0.0.1:8080 -m -w 1',
      '-a -t 198.51.100.1:80 -r 10.0.0.2:8080 -m -w 1',
      '-A -u 10.96.0.1:53 -s rr -p 10800',
      '-A -u 192.168.0.1:53 -s rr -p 10800',
      '-A -u 198.51.100.1:53 -s rr -p 10800',
      '',
    ]);
  });

  it('has the addresses of kube-ipvs0, without those of other interfaces', () => {
    expect(formatDummyAddresses(rules)).toBe('address add 10.96.0.1/32 dev kube-ipvs0\naddress add 198.51.100.1/32 dev kube-ipvs0\n');
  });

  it('has all sets with their entries, as ipset save prints them', () => {
    const lines = formatIpSets(rules).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('create '))).toHaveLength(17);
    expect(lines.slice(0, 5)).toStrictEqual([
      'create KUBE-LOOP-BACK hash:ip,port,ip family inet hashsize 1024 maxelem 65536',
      'add KUBE-LOOP-BACK 10.0.0.1,tcp:8080,10.0.0.1',
      'create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536',
      'add KUBE-CLUSTER-IP 10.96.0.1,tcp:80',
      'add KUBE-CLUSTER-IP 10.96.0.1,udp:53',
    ]);
    expect(lines).toContain('create KUBE-NODE-PORT-TCP bitmap:port range 0-65535');
  });

  it('shortens the names of sets for IPv6 and brackets addresses', () => {
    const ipv6 = rulesFor(
      makeWebService({ clusterIP: 'fd00:96::1', ipFamilies: ['IPv6'], clusterIPs: ['fd00:96::1'] }),
      [{ ip: 'fd00:10::1' }],
      {
        family: 'IPv6',
      },
    );
    expect(formatVirtualServers(ipv6)).toBe('-A -t [fd00:96::1]:80 -s rr\n-a -t [fd00:96::1]:80 -r [fd00:10::1]:8080 -m -w 1\n');
    expect(formatIpSets(ipv6)).toContain('create KUBE-6-LOAD-BALANCER-SOURCE-CID hash:ip,port,net family inet6 ');
    expect(formatDummyAddresses(ipv6)).toBe('address add fd00:96::1/128 dev kube-ipvs0\n');
  });

  it('hashes ports of clients with the scheduler mh', () => {
    const { virtualServers } = rulesFor(makeWebService(), [], { fields: { ipvsScheduler: 'mh' } });
    expect(formatVirtualServers({ virtualServers })).toBe('-A -t 10.96.0.1:80 -s mh -b mh-port\n');
  });
});

describe('real servers', () => {
  const realServersOf = (rules: IpvsRules, address: string): unknown =>
    rules.virtualServers.find((server) => server.address === address)?.realServers.map((real) => real.address);

  it('are the local endpoints if the policy is Local', () => {
    const rules = rulesFor(loadBalancer({ externalTrafficPolicy: 'Local' }), [local, remote]);
    expect(realServersOf(rules, '10.96.0.1')).toStrictEqual(['10.0.0.1', '10.0.0.2']);
    expect(realServersOf(rules, '203.0.113.1')).toStrictEqual(['10.0.0.1']);
    expect(realServersOf(rules, '192.168.0.1')).toStrictEqual(['10.0.0.1']);
  });

  it('are those of other nodes if the node has none, unlike in the other modes', () => {
    const rules = rulesFor(loadBalancer({ externalTrafficPolicy: 'Local' }), [remote]);
    expect(realServersOf(rules, '203.0.113.1')).toStrictEqual(['10.0.0.2']);
    const internal = rulesFor(makeWebService({ internalTrafficPolicy: 'Local' }), [remote]);
    expect(realServersOf(internal, '10.96.0.1')).toStrictEqual([]);
  });
});

describe('the sources of a load balancer', () => {
  const rulesWith = (...loadBalancerSourceRanges: string[]): IpvsRules => rulesFor(loadBalancer({ loadBalancerSourceRanges }), [local]);
  const blocked = ({ iptables }: IpvsRules): unknown =>
    iptables.tables.filter.find(({ name }) => name === 'KUBE-IPVS-OUT-FILTER')?.rules.map(({ match }) => match);

  it('include the node if the ranges contain its address', () => {
    const rules = rulesWith('203.0.113.0/24', '192.168.0.0/16');
    expect(entriesIn(rules, 'KUBE-LOAD-BALANCER-SOURCE-CIDR')).toStrictEqual([
      '203.0.113.1,tcp:80,192.168.0.0/16',
      '203.0.113.1,tcp:80,203.0.113.0/24',
    ]);
    expect(entriesIn(rules, 'KUBE-LOAD-BALANCER-SOURCE-IP')).toStrictEqual(['203.0.113.1,tcp:80,203.0.113.1']);
    expect(blocked(rules)).toStrictEqual([]);
  });

  it('exclude the node otherwise', () => {
    const rules = rulesWith('203.0.113.0/24');
    expect(entriesIn(rules, 'KUBE-LOAD-BALANCER-SOURCE-IP')).toStrictEqual([]);
    expect(blocked(rules)).toStrictEqual(['-s 203.0.113.1 -m ipvs --vaddr 203.0.113.1 --vproto tcp --vport 80']);
  });
});

describe('a node port', () => {
  const service = loadBalancer({ externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 });
  const serving = (nodePortAddresses: readonly string[]): unknown => {
    const rules = rulesFor(service, [local], { fields: { nodePortAddresses } });
    return [entriesIn(rules, 'KUBE-NODE-PORT-LOCAL-TCP'), entriesIn(rules, 'KUBE-HEALTH-CHECK-NODE-PORT')];
  };

  it('is opened with the port of the health check', () => {
    expect(serving([])).toStrictEqual([['30080'], ['31000']]);
    expect(serving(['192.168.0.0/16'])).toStrictEqual([['30080'], ['31000']]);
  });

  it('is not opened, nor the port of the health check, if no address of the node is in nodePortAddresses', () => {
    expect(serving(['172.16.0.0/12'])).toStrictEqual([[], []]);
  });

  it('has an entry per address for SCTP', () => {
    const sctp = makeWebService({ type: 'NodePort', ports: [{ name: 'http', port: 80, protocol: 'SCTP', nodePort: 30080 }] });
    const rules = rulesFor(sctp, [local], { fields: { addresses: ['192.168.0.1', '192.168.0.2', '127.0.0.1'] } });
    expect(entriesIn(rules, 'KUBE-NODE-PORT-SCTP-HASH')).toStrictEqual(['192.168.0.1,sctp:30080', '192.168.0.2,sctp:30080']);
  });
});

it('rejects releases whose rules are not specified, and invalid input', () => {
  expect(() => rulesFor(makeWebService(), [], { version: '1.23' })).toThrow(
    new RangeError('the rules of the mode ipvs are specified from 1.24 on: give a later version'),
  );
  expect(() => rulesFor(makeWebService(), [], { fields: { ipvsScheduler: 'rr\n-C' } })).toThrow(
    new RangeError('node.ipvsScheduler: "rr\\n-C" is not a scheduler such as "rr" or "lc"'),
  );
  const service = makeWebService({ ports: [{ name: 'http', port: 0, protocol: 'TCP' }] });
  expect(() => rulesFor(service, [])).toThrow('Service "shop/web:http": spec.ports[].port is 0, but has to be a number from 1 to 65535');
});
