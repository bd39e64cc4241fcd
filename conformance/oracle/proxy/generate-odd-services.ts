import type { ProxyService } from 'kube-endpoints/proxy';
import type { Random } from '../random.ts';

type Spec = NonNullable<ProxyService['spec']>;
type Ports = NonNullable<Spec['ports']>;
type ServiceChange = (random: Random, service: ProxyService) => ProxyService;

const changeSpec =
  (change: (random: Random, spec: Spec) => Spec): ServiceChange =>
  (random, service) => ({ ...service, spec: { ...service.spec, ...change(random, service.spec ?? {}) } });

const pickSome = <T>(random: Random, from: readonly T[]): T[] => random.shuffle(from).slice(0, 1 + random.int(4));

/** The IPs that only this Service has. */
const ownIPs = ({ clusterIP, clusterIPs, externalIPs }: Spec): string[] =>
  [clusterIP, ...(clusterIPs ?? []), ...(externalIPs ?? [])].flatMap((ip) => ip ?? []);

const oddIPs: readonly string[] = [
  '',
  ' 198.51.100.70',
  '198.51.100.071',
  '198.51.100.0000000072',
  '198.51.100',
  '198.51.100.256',
  '198.51.100.7.',
  '198.51.100.7/32',
  '0x7f.0.0.1',
  '::ffff:198.51.100.73',
  '::FFFF:c633:644a',
  '::198.51.100.75',
  '2001:db8::198.51.100.076',
  '2001:0DB8:0000::0077',
  '2001:db8:0:0:1:0:0:78',
  '2001:db8:1:1:1:1:0:79',
  '2001:db8:1:1:1:1:1::',
  '2001:db8::00001',
  '2001:db8:::1',
  'fe80::1%eth0',
  '[2001:db8::1]',
  '::',
  '0.0.0.0',
  '255.255.255.255',
];

const oddRanges: readonly string[] = [
  '',
  ' ',
  'bogus',
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-8',
  '10.0.0.0/+8',
  '10.0.0.0/8/8',
  '10.0.0.0 /8',
  '010.001.000.000/016',
  '10.1.2.3/000000008',
  '\t10.7.0.0/16\n',
  '\u008510.8.0.0/16',
  '\u00a010.9.0.0/16\u2003',
  '\ufeff10.10.0.0/16',
  '::ffff:10.0.0.0/104',
  '::ffff:192.168.0.0/112',
  '::ffff:10.0.0.0/96',
  '::ffff:10.0.0.0/90',
  '::ffff:10.0.0.0/8',
  '2001:DB8:0::5/032',
  '2001:db8::/129',
  '192.168.0.2/32',
  '128.0.0.0/1',
  '8000::/1',
  '2001:db8::/32',
  '127.0.0.0/8',
  '::1/128',
  '0.0.0.0/00',
  '::ffff:0.0.0.0/0',
];

const oddTimeouts: readonly number[] = [0, 1, 86_401, 2_147_483_647];

/** Functions that make a Service unusual, in ways that a cache may contain. An entry that is listed twice is drawn twice as often. */
export const oddServices: readonly ServiceChange[] = [
  changeSpec((random) => ({ ports: random.pick([[], null]) })),
  changeSpec((_, { ports }) => ({ ports: [...(ports ?? []), ...(ports ?? []).map((port) => ({ ...port, port: 8443, nodePort: null }))] })),
  changeSpec((random, { ports }) => ({ ports: onePortPerProtocol(random, ports ?? []) })),
  changeSpec((random, { ports }) => ({ ports: (ports ?? []).map((port) => ({ ...port, protocol: random.pick(['SCTP', 'UDP']) })) })),
  changeSpec((random, { ports }) => ({ ports: (ports ?? []).map((port) => ({ ...port, nodePort: random.pick([0, null, 31_999]) })) })),
  changeSpec((random, { ports }) => ({
    ports: (ports ?? []).map((port, index) => ({ ...port, name: random.pick(['x', 'a.b_c', 'UP', `q${index}`]) })),
  })),
  changeSpec((random) => ({ type: 'LoadBalancer', loadBalancerSourceRanges: pickSome(random, oddRanges) })),
  changeSpec((random) => ({ type: 'LoadBalancer', loadBalancerSourceRanges: pickSome(random, oddRanges) })),
  changeSpec((random, spec) => ({ externalIPs: random.chance(0.3) ? pickSome(random, ownIPs(spec)) : pickSome(random, oddIPs) })),
  changeSpec((random) => ({
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: random.pick(oddTimeouts) } },
  })),
  changeSpec((random) => ({ clusterIP: 'None', ...random.maybe(0.5, () => ({ type: random.pick(['NodePort', 'LoadBalancer']) })) })),
  changeSpec(() => ({ type: 'ExternalName' })),
  changeSpec((random) => ({ clusterIP: random.pick(['', null]) })),
  changeSpec((random, { clusterIP, clusterIPs }) => ({
    ipFamilies: random.pick([null, [], ['IPv6'], ['IPv4', 'IPv4'], ['IPv6', 'IPv4'], ['', 'IPv6']]),
    clusterIPs: random.pick([clusterIPs, null, [], ['', clusterIP ?? ''], [...(clusterIPs ?? []), 'fd00:10:96::aaaa']]),
  })),
  (random, service) => {
    const clusterIP = random.pick([
      '010.096.099.001',
      '::ffff:10.96.99.2',
      'FD00:10:96:0::00Ab',
      'fd00:10:96::10.96.99.3',
      '0.0.0.0',
      '::',
    ]);
    const ipFamilies = random.pick([null, ['IPv4'], ['IPv6'], ['IPv4', 'IPv6']] as const);
    return { ...service, spec: { ...service.spec, clusterIP, clusterIPs: [clusterIP, clusterIP], ipFamilies } };
  },
  changeSpec((random) => ({
    externalTrafficPolicy: random.pick(['Local', 'Cluster', '', 'Other']),
    internalTrafficPolicy: random.pick(['Local', 'Cluster', '', 'Other', null]),
  })),
  changeSpec((random) => ({ healthCheckNodePort: random.pick([0, null, 32_000, 32_001]), externalTrafficPolicy: 'Local' })),
  changeSpec((random) => ({ type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer', 'Other']) })),
  changeIngress,
  changeIngress,
  (random, service) => ({ ...service, status: random.pick([null, {}, { loadBalancer: null }, { loadBalancer: { ingress: null } }]) }),
  (random, service) => ({
    ...service,
    metadata: {
      ...service.metadata,
      labels: random.pick([{ 'service.kubernetes.io/service-proxy-name': 'other' }, { 'service.kubernetes.io/headless': '' }, {}]),
    },
  }),
];

function changeIngress(random: Random, service: ProxyService): ProxyService {
  const ips = [...oddIPs, ...ownIPs(service.spec ?? {}), '203.0.113.77', '203.0.113.77', '2001:db8:2::77'];
  const ingress = pickSome(random, ips).map((ip) => ({
    ip,
    ...random.maybe(0.5, () => ({ ipMode: random.pick(['VIP', 'VIP', 'Proxy', '', 'vip', null]) })),
  }));
  return { ...service, status: { loadBalancer: { ingress: random.chance(0.2) ? [...ingress, ...ingress] : ingress } } };
}

/** One port for each protocol, with the same number and name. */
function onePortPerProtocol(random: Random, [first = { port: 53 }]: Ports): Ports {
  const name = random.pick(['', 'dns']);
  return random.shuffle(['TCP', 'UDP', 'SCTP']).map((protocol) => ({ ...first, name, protocol }));
}
