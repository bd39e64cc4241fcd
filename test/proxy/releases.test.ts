import { describe, expect, it } from 'vitest';
import {
  createNodeView,
  endpointVerdicts,
  iptablesRules,
  nftablesRules,
  type ProxyNode,
  type ProxyService,
  type ServicePortView,
} from '../../src/proxy/index.ts';
import { dumpIptables } from '../../src/proxy/iptables/format.ts';
import { listNftables } from '../../src/proxy/nftables/format.ts';
import { makeSlice, makeWebService, node } from './fixtures.ts';

const portIn = (version: string, service: ProxyService, ip = '10.0.0.1'): ServicePortView =>
  createNodeView(
    {
      services: [service],
      endpointSlices: [
        makeSlice([
          { ip, zones: ['a'] },
          { ip: '10.0.0.2', zones: ['b'] },
        ]),
      ],
    },
    node,
    {
      version,
    },
  ).ports[0] as ServicePortView;

const annotate = (annotations: Record<string, string>): ProxyService => {
  const service = makeWebService();
  return { ...service, metadata: { ...service.metadata, annotations } };
};

describe('hints for zones', () => {
  const [mode, deprecated] = ['service.kubernetes.io/topology-mode', 'service.kubernetes.io/topology-aware-hints'];

  it.each([
    ['1.31', {}, true],
    ['1.31', { [mode]: 'Disabled' }, true],
    ['1.30', {}, false],
    ['1.30', { [mode]: 'Auto' }, true],
    ['1.30', { [mode]: 'example.com/other' }, true],
    ['1.30', { [mode]: 'Disabled' }, false],
    ['1.30', { [mode]: 'disabled' }, false],
    ['1.30', { [mode]: 'Auto', [deprecated]: 'disabled' }, false],
    ['1.30', { [deprecated]: 'auto' }, true],
    ['1.27', { [mode]: 'example.com/other' }, true],
    ['1.26', { [mode]: 'Auto' }, false],
    ['1.26', { [deprecated]: 'Auto' }, true],
    ['1.26', { [deprecated]: 'auto' }, true],
    ['1.26', { [deprecated]: 'example.com/other' }, false],
  ])('in %s with the annotations %o: followed: %s', (version, annotations, isFollowed) => {
    const port = portIn(version, annotate(annotations));
    expect(port.cluster?.map(({ ip }) => ip)).toStrictEqual(isFollowed ? ['10.0.0.1'] : ['10.0.0.1', '10.0.0.2']);
    const verdicts = endpointVerdicts(port, node, { version }).map(({ cluster }) => cluster);
    expect(verdicts).toStrictEqual(['Ready', isFollowed ? 'HintsOtherZone' : 'Ready']);
  });
});

describe('the addresses of a Service', () => {
  const ingress = [{ ip: '203.0.113.01' }, { ip: '203.0.113.2', ipMode: 'Proxy' }];
  const spec = { type: 'LoadBalancer', externalIPs: ['198.51.100.01'], loadBalancerSourceRanges: [' 10.1.2.3/8', '::ffff:10.0.0.0/8'] };
  const service = makeWebService(spec, { loadBalancer: { ingress } });

  it('are written as given before 1.30, with those of ipMode Proxy', () => {
    expect(portIn('1.29', service)).toMatchObject({
      externalIPs: ['198.51.100.01'],
      loadBalancerVIPs: ['203.0.113.01', '203.0.113.2'],
      loadBalancerSourceRanges: ['10.1.2.3/8', '::ffff:10.0.0.0/8'],
    });
  });

  it('are canonical from 1.30 on, without those of ipMode Proxy', () => {
    expect(portIn('1.30', service)).toMatchObject({
      externalIPs: ['198.51.100.1'],
      loadBalancerVIPs: ['203.0.113.1'],
      loadBalancerSourceRanges: ['10.0.0.0/8'],
    });
  });
});

it('addresses of endpoints are written as in the slice before 1.31', () => {
  expect(portIn('1.30', makeWebService(), '10.0.0.001').endpoints[0]).toMatchObject({ ip: '10.0.0.001', text: '10.0.0.001:8080' });
  expect(portIn('1.31', makeWebService(), '10.0.0.001').endpoints[0]).toMatchObject({ ip: '10.0.0.1', text: '10.0.0.1:8080' });
});

it.each([
  ['1.29', undefined],
  ['1.30', '192.168.0.1'],
  ['1.31', undefined],
])('node ports of nftables use the primary address in 1.30 alone if no range of the family is configured, %s', (version, expected) => {
  const view = createNodeView({}, node, { version });
  const lines = listNftables(nftablesRules(view, { ...node, nodePortAddresses: ['fd00::/8'] }, { version }));
  expect(lines.find((line) => line.includes('add element ip kube-proxy nodeport-ips'))).toBe(
    expected && `add element ip kube-proxy nodeport-ips { ${expected} }`,
  );
});

it.each([
  ['1.28', '10.0.0.1'],
  ['1.29', '10.0.0.001'],
  ['1.31', '10.0.0.1'],
])('the source of an endpoint in %s is %s', (version, source) => {
  expect(portIn(version, makeWebService(), '10.0.0.001').endpoints[0]?.ip).toBe(source);
});

it.each([
  ['1.28', false],
  ['1.29', true],
])('externalTrafficPolicy of a ClusterIP Service with external IPs applies in %s: %s', (version, applies) => {
  const service = makeWebService({ externalIPs: ['198.51.100.1'], externalTrafficPolicy: 'Local' });
  expect(portIn(version, service).externalPolicyLocal).toBe(applies);
});

it.each([
  ['1.25', [], 'NotReady'],
  ['1.26', ['10.0.0.1'], 'TerminatingFallback'],
])('terminating endpoints in %s: used are %o, because of %s', (version, used, code) => {
  const endpointSlices = [makeSlice([{ ip: '10.0.0.1', ready: false, serving: true, terminating: true }])];
  const port = createNodeView({ services: [makeWebService()], endpointSlices }, node, { version }).ports[0] as ServicePortView;
  expect(port.cluster?.map(({ ip }) => ip)).toStrictEqual(used);
  expect(port.hasAny).toBe(used.length > 0);
  expect(endpointVerdicts(port, node, { version })[0]?.cluster).toBe(code);
});

describe('the iptables rules of node ports', () => {
  const service = makeWebService({ type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30080 }] });
  const dumpIn = (version: string, fields: Partial<ProxyNode>) => {
    const endpointSlices = [makeSlice([{ ip: '10.0.0.1' }])];
    const view = createNodeView({ services: [service], endpointSlices }, node, { version });
    return dumpIptables(iptablesRules(view, { ...node, ...fields }, { version }));
  };
  const jumpsIn = (version: string, fields: Partial<ProxyNode>): readonly string[] =>
    (dumpIn(version, fields).nat['KUBE-SERVICES'] ?? []).filter((rule) => rule.endsWith('-j KUBE-NODEPORTS'));

  it('exclude loopback addresses from 1.26 on', () => {
    expect(jumpsIn('1.26', {})[0]).toContain('--dst-type LOCAL ! -d 127.0.0.0/8');
    expect(jumpsIn('1.25', {})[0]).not.toContain('127.0.0.0/8');
    expect(jumpsIn('1.25', { nodePortAddresses: ['127.0.0.0/8'] })[0]).toContain('-d 127.0.0.1 ');
  });

  it('exist from 1.27 on if no address of the node is in nodePortAddresses', () => {
    const nodePortAddresses = ['172.16.0.0/12'];
    expect(dumpIn('1.26', { nodePortAddresses }).nat['KUBE-NODEPORTS']).toHaveLength(0);
    expect(dumpIn('1.27', { nodePortAddresses }).nat['KUBE-NODEPORTS']).toHaveLength(1);
  });

  it('include those of KUBE-FIREWALL from 1.27 on', () => {
    expect(dumpIn('1.26', { localhostNodePorts: true }).filter).not.toHaveProperty('KUBE-FIREWALL');
    expect(dumpIn('1.27', { localhostNodePorts: true }).filter['KUBE-FIREWALL']).toHaveLength(1);
  });
});

describe('packets to drop in the mode iptables', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerSourceRanges: ['203.0.113.0/24', '192.168.0.0/16'] };
  const ingress = [{ ip: '198.51.100.1' }, { ip: '198.51.100.2' }];
  const dumpIn = (version: string) => {
    const objects = { services: [makeWebService(spec, { loadBalancer: { ingress } })], endpointSlices: [makeSlice([{ ip: '10.0.0.1' }])] };
    return dumpIptables(iptablesRules(createNodeView(objects, node, { version }), node, { version }));
  };
  const rulesOf = (version: string, prefix: string): readonly string[] =>
    Object.entries(dumpIn(version).nat).flatMap(([name, rules]) => (name.startsWith(prefix) ? rules : []));

  it('are marked by KUBE-MARK-DROP before 1.25', () => {
    expect(rulesOf('1.24', 'KUBE-SVL-')).toStrictEqual(['-m comment --comment "shop/web:http has no local endpoints" -j KUBE-MARK-DROP']);
    const marks = rulesOf('1.24', 'KUBE-FW-').filter((rule) => rule.endsWith('-j KUBE-MARK-DROP'));
    expect(marks).toHaveLength(ingress.length);
    expect(dumpIn('1.24').filter['KUBE-EXTERNAL-SERVICES']).toHaveLength(0);
    expect(dumpIn('1.24').filter).not.toHaveProperty('KUBE-PROXY-FIREWALL');
  });

  it('are dropped in the table filter from 1.25 on', () => {
    expect(rulesOf('1.25', 'KUBE-SVL-')).toHaveLength(0);
    expect(JSON.stringify(dumpIn('1.25').nat)).not.toContain('KUBE-MARK-DROP');
    expect(dumpIn('1.25').filter['KUBE-EXTERNAL-SERVICES']).toHaveLength(ingress.length);
    expect(dumpIn('1.25').filter['KUBE-PROXY-FIREWALL']).toHaveLength(ingress.length);
  });
});
