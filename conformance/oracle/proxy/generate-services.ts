import type { ProxyService } from 'kube-endpoints/proxy';
import type { Random } from '../random.ts';

type Spec = NonNullable<ProxyService['spec']>;
type Type = 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';

/** Creates a Service with the API server's defaults; `id` makes its addresses and node ports unique. */
export function makeService(random: Random, id: number): ProxyService {
  const type: Type = random.chance(0.03)
    ? 'ExternalName'
    : random.pick(['ClusterIP', 'ClusterIP', 'NodePort', 'NodePort', 'LoadBalancer', 'LoadBalancer', 'LoadBalancer'] as const);
  const spec: Spec = {
    type,
    ...makeClusterAddresses(random, type, id),
    ports: makePorts(random, type, id),
    ...makeAffinity(random),
    ...random.maybe(0.4, () => ({ internalTrafficPolicy: random.pick(['Local', 'Local', 'Cluster']) })),
    ...random.maybe(0.15, () => ({ topologyKeys: random.shuffle(topologyKeys).slice(0, 1 + random.int(3)) })),
    ...random.maybe(0.25, () => ({ externalIPs: random.shuffle(candidateExternalIPs(id)).slice(0, random.pick([1, 1, 2, 5])) })),
  };
  const metadata = {
    name: `s${id}`,
    namespace: random.pick(['default', 'prod']),
    ...random.maybe(0.1, () => ({ annotations: { [random.pick(hintsAnnotations)]: 'Auto' } })),
  };
  const status = type === 'LoadBalancer' ? random.maybe(0.85, () => ({ loadBalancer: { ingress: makeIngress(random, id) } })) : undefined;
  return { metadata, spec: { ...spec, ...makePolicy(random, type, id, spec), ...makeRanges(random, type) }, ...(status && { status }) };
}

const hintsAnnotations: readonly string[] = ['service.kubernetes.io/topology-mode', 'service.kubernetes.io/topology-aware-hints'];

const topologyKeys: readonly string[] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/region', '*'];

function makeClusterAddresses(random: Random, type: Type, id: number): Pick<Spec, 'clusterIP' | 'clusterIPs' | 'ipFamilies'> {
  if (type === 'ExternalName') return {};
  if (type === 'ClusterIP' && random.chance(0.06)) return { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] };
  const ipFamilies = random.pick([['IPv4'], ['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']] as const);
  const clusterIPs = ipFamilies.map((family) =>
    family === 'IPv4' ? `10.96.${id}.${1 + random.int(250)}` : `fd00:10:96::${id + 1}${random.int(9)}`,
  );
  return { clusterIP: clusterIPs[0] as string, ipFamilies, ...((clusterIPs.length > 1 || random.chance(0.95)) && { clusterIPs }) };
}

function makePorts(random: Random, type: Type, id: number): NonNullable<Spec['ports']> {
  const withNodePorts = type === 'NodePort' || (type === 'LoadBalancer' && random.chance(0.85));
  const count = random.pick([1, 1, 2, 3]);
  const protocols = ['TCP', 'UDP', 'SCTP'];
  const sameNumber = random.chance(0.15);
  return Array.from({ length: count }, (_, index) => ({
    name: index > 0 || random.chance(0.6) ? `p${index}` : '',
    protocol: sameNumber ? (protocols[index] as string) : random.pick(['TCP', 'TCP', 'UDP', 'SCTP']),
    port: sameNumber ? 53 : 80 + index,
    targetPort: 8080,
    ...(withNodePorts && { nodePort: sameNumber ? 30_053 + 100 * id : 30_000 + 100 * id + index }),
  }));
}

const makeAffinity = (random: Random): Pick<Spec, 'sessionAffinity' | 'sessionAffinityConfig'> =>
  random.chance(0.25)
    ? { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: random.pick([10_800, 60, 1, 86_400]) } } }
    : { sessionAffinity: 'None' };

const candidateExternalIPs = (id: number): readonly string[] => [
  `198.51.100.1${id}`,
  `198.51.100.01${id}`,
  'bogus',
  `2001:db8:1::${id + 1}`,
  `2001:DB8:1:0::a${id}`,
  // If two Services have the same address, the result is random.
  ...(id === 0 ? ['192.168.0.2'] : []),
];

function makePolicy(random: Random, type: Type, id: number, { externalIPs: addresses }: Spec): Spec {
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || (addresses?.length ?? 0) > 0;
  if (!isExternal || random.chance(0.05)) return {};
  const externalTrafficPolicy = random.pick(['Cluster', 'Local']);
  const hasHealthCheck = type === 'LoadBalancer' && externalTrafficPolicy === 'Local' && random.chance(0.95);
  return { externalTrafficPolicy, ...(hasHealthCheck && { healthCheckNodePort: 32_000 + id }) };
}

function makeRanges(random: Random, type: Type): Pick<Spec, 'loadBalancerSourceRanges'> {
  if (type !== 'LoadBalancer' || random.chance(0.6)) return {};
  const ranges = ['10.0.0.0/8', ' 203.0.113.0/24', '2001:db8::/32', '192.168.0.2/32', '192.168.0.0/24 ', '0.0.0.0/0', '::/0', '10.1.2.3/8'];
  return { loadBalancerSourceRanges: random.shuffle(ranges).slice(0, random.pick([1, 2, 2, 3])) };
}

type Ingress = NonNullable<NonNullable<NonNullable<ProxyService['status']>['loadBalancer']>['ingress']>;

const makeIngress = (random: Random, id: number): Ingress =>
  random
    .shuffle([
      { ip: `203.0.113.${id + 1}` },
      { ip: `203.0.113.9${id}`, ipMode: 'Proxy' },
      { ip: `203.0.113.8${id}`, ipMode: 'VIP' },
      { hostname: 'lb.example.com' },
      { ip: `2001:db8:2::${id + 1}` },
      { ip: `2001:db8:3::${id + 1}`, ipMode: 'VIP' },
      { ip: `198.51.100.1${id}` },
    ])
    .slice(0, random.pick([1, 1, 2, 3]));
