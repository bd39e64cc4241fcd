import type { ProxyService } from 'kube-endpoints/proxy';
import type { Random } from '../random.ts';

/** Copies a property of one Service to another. */
type ConflictChange = (random: Random, service: ProxyService, other: ProxyService) => ProxyService;

type Spec = NonNullable<ProxyService['spec']>;

const changeSpec =
  (change: (spec: Spec, other: Spec) => Spec): ConflictChange =>
  (_, service, other) => ({ ...service, spec: { ...service.spec, ...change(service.spec ?? {}, other.spec ?? {}) } });

const clusterIPs = ({ clusterIP, clusterIPs: all }: Spec): string[] =>
  (all ?? [clusterIP ?? '']).filter((ip) => ip !== '' && ip !== 'None');

const listBalancerIPs = ({ status }: ProxyService): string[] => (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);

const withExternalIPs = (service: ProxyService, externalIPs: readonly string[]): ProxyService => ({
  ...service,
  spec: { ...service.spec, externalIPs },
});

const withBalancerIPs = (service: ProxyService, ips: readonly string[]): ProxyService => ({
  ...service,
  spec: { ...service.spec, type: 'LoadBalancer' },
  status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
});

/**
 * Changes after which two Services use the same address or port. kube-proxy serves one of the two Services, chosen at random, and logs no
 * error.
 */
export const conflictChanges: readonly ConflictChange[] = [
  changeSpec(({ ports }, other) => ({
    type: 'NodePort',
    ports: (ports ?? []).map((port, index) => ({ ...port, nodePort: other.ports?.[index]?.nodePort ?? null })),
  })),
  changeSpec((_, { clusterIP, clusterIPs: all, ipFamilies }) => ({ clusterIP, clusterIPs: all, ipFamilies })),
  changeSpec((_, { healthCheckNodePort }) => ({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: healthCheckNodePort || 32_000,
  })),
  (_, service, other) => withExternalIPs(service, clusterIPs(other.spec ?? {})),
  (_, service, other) => withExternalIPs(service, listBalancerIPs(other)),
  (_, service, other) => withExternalIPs(service, other.spec?.externalIPs ?? []),
  (_, service, other) => withBalancerIPs(service, [...listBalancerIPs(other), '203.0.113.99']),
  (_, service, other) => withBalancerIPs(service, clusterIPs(other.spec ?? {})),
  (random, service) => withExternalIPs(service, random.shuffle(['192.168.0.2', '127.0.0.1', '::1', '10.0.0.1', '2001:db8::2']).slice(0, 2)),
];
