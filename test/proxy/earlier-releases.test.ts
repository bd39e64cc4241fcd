import { describe, expect, it } from 'vitest';
import { type ProxyGateName, proxyGates, proxyGatesFor } from '../../src/proxy/gates.ts';
import {
  createNodeView,
  createProxier,
  formatIptablesTransaction,
  iptablesRules,
  type ProxyNode,
  type ProxyService,
  type ServicePortView,
} from '../../src/proxy/index.ts';
import { type DumpedChains, dumpIptables } from '../../src/proxy/iptables/format.ts';
import type { EndpointInput, EndpointSliceInput } from '../../src/types/index.ts';
import { makeSlice, makeWebService, node } from './fixtures.ts';

interface Objects {
  readonly spec?: NonNullable<ProxyService['spec']>;
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
  readonly annotations?: Record<string, string>;
  readonly endpoints?: readonly EndpointInput[];
  readonly slice?: Partial<EndpointSliceInput>;
  /** The addresses of the Endpoints. */
  readonly addresses?: readonly string[];
  readonly node?: Partial<ProxyNode>;
}

const local = { addresses: ['10.0.0.1'], nodeName: 'n1', hints: { forZones: [{ name: 'a' }] } };
const remote = { addresses: ['10.0.0.2'], nodeName: 'n2', hints: { forZones: [{ name: 'b' }] } };

function compute(version: string, objects: Objects): { port: ServicePortView; filter: DumpedChains; nat: DumpedChains } {
  const { spec = {}, ingress, annotations = {}, endpoints = [local, remote], slice, addresses = ['10.0.0.1', '10.0.0.2'] } = objects;
  const plain = makeWebService(spec, ingress && { loadBalancer: { ingress } });
  const service = { ...plain, metadata: { ...plain.metadata, annotations } };
  const self = { ...node, ...objects.node };
  const input = {
    services: [service],
    endpointSlices: [{ ...makeSlice([]), endpoints, ...slice }],
    endpoints: [{ metadata: plain.metadata, subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: makeSlice([]).ports }] }],
  };
  const view = createNodeView(input, self, { version });
  return { port: view.ports[0] as ServicePortView, ...dumpIptables(iptablesRules(view, self, { version })) };
}

type Result = ReturnType<typeof compute>;

const rulesIn =
  (table: 'filter' | 'nat', prefix: string, part = '') =>
  (result: Result): readonly string[] =>
    Object.entries(result[table]).flatMap(([name, rules]) => (name.startsWith(prefix) ? rules.filter((rule) => rule.includes(part)) : []));

const countIn =
  (table: 'filter' | 'nat', prefix: string, part = '') =>
  (result: Result): number =>
    rulesIn(table, prefix, part)(result).length;

const textsOf = ({ port }: Result): unknown => port.endpoints.map(({ text }) => text);
const clusterOf = ({ port }: Result): unknown => port.cluster?.map(({ ip }) => ip);

const balancer = { type: 'LoadBalancer', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30_080 }] };
const localBalancer = { ...balancer, externalTrafficPolicy: 'Local', healthCheckNodePort: 32_000 };
const external = { externalIPs: ['198.51.100.1'] };
const ports = [8080, 8081].map((port) => ({ name: 'http', port, protocol: 'TCP' }));
const unready = { ...remote, conditions: { ready: false } };
const stickyUnready = { spec: { sessionAffinity: 'ClientIP' as const }, endpoints: [local, unready] };
const unservedNodePorts = { spec: balancer, node: { nodePortAddresses: ['172.16.0.0/12'] } };
const topologyOnly = { endpoints: [{ ...local, nodeName: null, deprecatedTopology: { 'kubernetes.io/hostname': 'n1' } }] };
const isFirstLocal = ({ port }: Result): unknown => port.endpoints[0]?.isLocal;

const rows: readonly (readonly [ProxyGateName, string, string, Objects, (result: Result) => unknown, unknown, unknown])[] = [
  ['shortPortNames', '1.18', '1.19', { spec: { ports: [{ port: 80 }] } }, ({ port }) => port.name, 'shop/web:', 'shop/web'],
  ['slicesRead', '1.18', '1.19', { addresses: ['10.0.0.9'] }, textsOf, ['10.0.0.9:8080'], ['10.0.0.1:8080', '10.0.0.2:8080']],
  ['markCleared', '1.17.8', '1.17.9', {}, countIn('nat', 'KUBE-POSTROUTING', '--xor-mark 0x00004000'), 0, 1],
  ['markCleared', '1.18.5', '1.18.6', {}, countIn('nat', 'KUBE-MARK-MASQ', '--set-xmark 0x00004000/0x00004000'), 1, 0],
  ['endpointComments', '1.17', '1.18', {}, countIn('nat', 'KUBE-SEP-', '--comment'), 0, 4],
  ['repliesOfAnySource', '1.17', '1.18', {}, countIn('filter', 'KUBE-FORWARD', '10.0.0.0/8'), 2, 0],
  [
    'nodePortsOfFamily',
    '1.18',
    '1.19',
    { spec: balancer, node: { nodePortAddresses: ['2001:db8::/64'] } },
    countIn('nat', 'KUBE-SERVICES', 'KUBE-NODEPORTS'),
    0,
    1,
  ],
  ['externalIPsLocal', '1.18', '1.19', { spec: { ...localBalancer, ...external } }, countIn('nat', 'KUBE-SERVICES', 'KUBE-XLB-'), 0, 2],
  ['clusterIPs', '1.19', '1.20', { slice: { addressType: 'IP' } }, textsOf, ['10.0.0.1:8080', '10.0.0.2:8080'], []],
  [
    'rejectsForwarded',
    '1.19',
    '1.20',
    { spec: balancer, ingress: [{ ip: '203.0.113.1' }], endpoints: [] },
    countIn('filter', 'KUBE-SERVICES', '203.0.113.1'),
    1,
    0,
  ],
  ['ensuresMarkDrop', '1.19', '1.20', {}, ({ nat }) => 'KUBE-MARK-DROP' in nat, false, true],
  ['unreadyEndpoints', '1.20', '1.21', { endpoints: [local, unready] }, textsOf, ['10.0.0.1:8080'], ['10.0.0.1:8080', '10.0.0.2:8080']],
  ['podsReachExternalIPs', '1.20', '1.21', { spec: external }, countIn('nat', 'KUBE-SERVICES', 'physdev'), 1, 0],
  ['healthCheckRules', '1.20', '1.21', { spec: localBalancer }, countIn('filter', 'KUBE-NODEPORTS', '32000'), 0, 1],
  ['chainsWithoutNodePorts', '1.21.11', '1.21.13', unservedNodePorts, countIn('nat', 'KUBE-SVC-'), 0, 2],
  ['chainsWithoutNodePorts', '1.22.9', '1.22.10', unservedNodePorts, countIn('nat', 'KUBE-SVC-'), 1, 3],
  ['endpointChainsFirst', '1.22.3', '1.22.4', unservedNodePorts, countIn('nat', 'KUBE-SEP-'), 0, 4],
  [
    'duplicatesByPort',
    '1.21',
    '1.22',
    { endpoints: [local], slice: { ports } },
    textsOf,
    ['10.0.0.1:8081'],
    ['10.0.0.1:8080', '10.0.0.1:8081'],
  ],
  ['masqueradeInChain', '1.21', '1.22', {}, countIn('nat', 'KUBE-SERVICES', 'KUBE-MARK-MASQ'), 1, 0],
  ['internalPolicy', '1.21', '1.22', { spec: { internalTrafficPolicy: 'Local' } }, clusterOf, ['10.0.0.1', '10.0.0.2'], undefined],
  ['unreadyChains', '1.21', '1.22.0', { endpoints: [local, unready] }, countIn('nat', 'KUBE-SEP-'), 2, 4],
  ['unreadyChains', '1.22.3', '1.22.4', { endpoints: [unready] }, countIn('filter', 'KUBE-SERVICES', 'REJECT'), 0, 1],
  ['unreadyChains', '1.22.3', '1.22.4', stickyUnready, countIn('nat', 'KUBE-SVC-', '--rcheck'), 2, 1],
  ['hostnameIgnored', '1.21', '1.22.0', topologyOnly, isFirstLocal, true, false],
  ['hostnameIgnored', '1.22.10', '1.22.11', topologyOnly, isFirstLocal, false, true],
  ['hostnameTopology', '1.22', '1.23', topologyOnly, isFirstLocal, true, false],
  ['plainAddresses', '1.22', '1.23', {}, countIn('nat', 'KUBE-SEP-', '/32'), 2, 0],
  [
    'shortBalancingComments',
    '1.22',
    '1.23',
    { spec: localBalancer },
    countIn('nat', 'KUBE-XLB-', 'Balancing rule 0 for shop/web:http'),
    1,
    0,
  ],
  ['oneReplyRule', '1.22', '1.23', {}, countIn('filter', 'KUBE-FORWARD', 'RELATED,ESTABLISHED'), 2, 1],
  ['externalChains', '1.23', '1.24', { spec: localBalancer }, countIn('nat', 'KUBE-XLB-'), 4, 0],
  [
    'separatePolicies',
    '1.23',
    '1.24',
    { spec: { ...balancer, internalTrafficPolicy: 'Local' } },
    clusterOf,
    undefined,
    ['10.0.0.1', '10.0.0.2'],
  ],
];

describe('rules before 1.24', () => {
  it.each(rows)('%s: %s differs from %s', (name, before, since, objects, read, expectedBefore, expectedSince) => {
    expect([proxyGatesFor({ version: before })[name], proxyGatesFor({ version: since })[name]]).toContain(true);
    expect([read(compute(before, objects)), read(compute(since, objects))]).toStrictEqual([expectedBefore, expectedSince]);
  });

  it('have a row for every gate of these releases, except those of the next tests', () => {
    const names = Object.entries(proxyGates).filter(([, { since, until }]) => /^1\.(1[89]|2[0-4])\./.test(until ?? since));
    const others = ['balancerIPsOfFamily', 'trimmedRanges', 'checkedAddresses', 'topologyKeys', 'capitalAuto', 'hintsOfReady', 'zoneHints'];
    expect(names.map(([name]) => name).sort()).toStrictEqual([...new Set([...rows.map(([name]) => name), ...others])].sort());
  });

  it('contain load balancer addresses of the other family before 1.17.4, which no rule can contain', () => {
    const objects = { spec: balancer, ingress: [{ ip: '203.0.113.1' }, { ip: '2001:db8::1' }] };
    expect(compute('1.17.4', objects).port.loadBalancerVIPs).toStrictEqual(['203.0.113.1']);
    const message =
      'Service "shop/web:http": status.loadBalancer.ingress[].ip is "2001:db8::1", but has to be an IPv4 address before Kubernetes 1.17.4';
    expect(() => compute('1.17.3', objects)).toThrow(new RangeError(message));
  });

  it.each([
    ['1.18.10', '1.18.11'],
    ['1.19.3', '1.19.4'],
  ])('trimmedRanges: in %s, but not in %s, white space around a source range is an error', (before, since) => {
    const spec = { ...balancer, loadBalancerSourceRanges: [' 10.0.0.0/8'] };
    const objects = { spec, ingress: [{ ip: '203.0.113.1' }] };
    expect(compute(since, objects).port.loadBalancerSourceRanges).toStrictEqual(['10.0.0.0/8']);
    expect(() => compute(before, objects)).toThrow('spec.loadBalancerSourceRanges[] is " 10.0.0.0/8", but has to be a CIDR');
  });

  it('contain invalid addresses before 1.21, which no rule can contain', () => {
    const spec = { externalIPs: ['bogus', '198.51.100.1'] };
    expect(compute('1.21', { spec }).port.externalIPs).toStrictEqual(['198.51.100.1']);
    expect(createNodeView({ services: [makeWebService(spec)] }, node, { version: '1.20' }).ports[0]?.externalIPs).toStrictEqual(
      spec.externalIPs,
    );
    const message = 'Service "shop/web:http": spec.externalIPs[] is "bogus", but has to be an IP address';
    expect(() => compute('1.20', { spec })).toThrow(new RangeError(message));
    const ranged = { ...balancer, loadBalancerSourceRanges: ['10.0.0.0'] };
    expect(() => compute('1.20', { spec: ranged, ingress: [{ hostname: 'lb' }, { ip: '203.0.113.1' }] })).toThrow('has to be a CIDR');
  });

  it.each([
    ['1.21.0', ['10.0.0.1', '10.0.0.2']],
    ['1.21.1', ['10.0.0.1']],
  ])('capitalAuto: in %s, the annotation "Auto" selects %j', (version, expected) => {
    const annotations = { 'service.kubernetes.io/topology-aware-hints': 'Auto' };
    const service = { ...makeWebService(), metadata: { namespace: 'shop', name: 'web', annotations } };
    const view = createNodeView({ services: [service], endpointSlices: [{ ...makeSlice([]), endpoints: [local, remote] }] }, node, {
      version,
      featureGates: { TopologyAwareHints: true },
    });
    expect(view.ports[0]?.cluster?.map(({ ip }) => ip)).toStrictEqual(expected);
  });

  it.each([
    ['1.22', ['10.0.0.1', '10.0.0.2']],
    ['1.23', ['10.0.0.1']],
  ])('hintsOfReady: in %s, an endpoint that is not ready and has no hint', (version, expected) => {
    const annotations = { 'service.kubernetes.io/topology-aware-hints': 'Auto' };
    const endpoints = [local, remote, { addresses: ['10.0.0.3'], conditions: { ready: false } }];
    const service = { ...makeWebService(), metadata: { namespace: 'shop', name: 'web', annotations } };
    const view = createNodeView({ services: [service], endpointSlices: [{ ...makeSlice([]), endpoints }] }, node, {
      version,
      featureGates: { TopologyAwareHints: true },
    });
    expect(view.ports[0]?.cluster?.map(({ ip }) => ip)).toStrictEqual(expected);
  });
});

describe('topologyKeys, with the feature gate ServiceTopology', () => {
  const zone = 'topology.kubernetes.io/zone';
  const labels = { [zone]: 'a', 'kubernetes.io/hostname': 'n1' };
  const endpoints = [
    { ...remote, zone: 'a' },
    { addresses: ['10.0.0.3'], nodeName: 'n3', zone: 'b' },
  ];
  const clusterWith = (topologyKeys: readonly string[], nodeLabels: Record<string, string> = labels): unknown =>
    createNodeView(
      { services: [makeWebService({ topologyKeys })], endpointSlices: [{ ...makeSlice([]), endpoints }] },
      { ...node, labels: nodeLabels },
      { version: '1.20', featureGates: { ServiceTopology: true } },
    ).ports[0]?.cluster?.map(({ ip }) => ip);

  it.each([
    [[], labels, ['10.0.0.2', '10.0.0.3']],
    [['kubernetes.io/hostname'], labels, []],
    [['kubernetes.io/hostname', zone], labels, ['10.0.0.2']],
    [['kubernetes.io/hostname', '*'], labels, ['10.0.0.2', '10.0.0.3']],
    [[zone, '*'], {}, ['10.0.0.2', '10.0.0.3']],
    [['*', zone], {}, []],
  ])('%j on a node with the labels %j', (keys, nodeLabels, expected) => {
    expect(clusterWith(keys, nodeLabels as Record<string, string>)).toStrictEqual(expected);
  });
});

it('a transaction of 1.21 inserts the rule that masquerades before the rule that jumps', () => {
  const proxier = createProxier({ node, mode: 'iptables', version: '1.21' });
  for (const name of ['a', 'b', 'c']) proxier.services.set(makeWebService({ clusterIP: '10.96.0.9' }, undefined, name));
  proxier.sync();
  proxier.services.set(makeWebService());
  proxier.endpointSlices.set({ ...makeSlice([]), endpoints: [local] });
  const text = formatIptablesTransaction(proxier.sync());
  const inserted = text.split('\n').filter((line) => line.startsWith('-I KUBE-SERVICES'));
  // Each rule is inserted at the head of the chain, so the last line is the first rule.
  expect(inserted.map((line) => line.split(' -j ')[1]?.slice(0, 9))).toStrictEqual(['KUBE-SVC-', 'KUBE-MARK']);
});
