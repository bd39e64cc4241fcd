import type { ProxyService } from 'kube-endpoints/proxy';
import { type Addresses, clientAddresses, type Family, families } from './topology.ts';

/** A Service under test. Its pods may be in any state. */
export interface TestService {
  readonly name: string;
  /** The names of its pods. */
  readonly members: readonly string[];
  readonly type: string;
  readonly ports: readonly Port[];
  readonly clusterIPs: readonly string[];
  readonly externalIPs: readonly string[];
  readonly ingress: readonly string[];
  /** Further fields of its spec. */
  readonly specFields: NonNullable<ProxyService['spec']>;
}

export interface Port {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly targetPort: number;
  readonly nodePort?: number;
}

/** The ways to reach a Service. */
export type Via = 'cluster IP' | 'node port of a' | 'node port of b' | 'node port on loopback' | 'external IP' | 'load balancer IP';

/** The ports of the pods. */
export const targetPorts: readonly number[] = [8080, 8081];

const allPods = ['a1', 'a2', 'a3', 'b1', 'b2'];
const http: Port = { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 };
const admin: Port = { name: 'admin', protocol: 'TCP', port: 81, targetPort: 8081 };
const names: Port = { name: 'names', protocol: 'UDP', port: 53, targetPort: 8080 };
const ranges = families.map((family) => `${clientAddresses[0]?.[family]}/${family === 'IPv4' ? 32 : 128}`);
const clientIP = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } };

export const testServices: readonly TestService[] = [
  createTestService(1, 'web', 'LoadBalancer', allPods, {}, [http, admin, names]),
  createTestService(2, 'local', 'LoadBalancer', allPods, { externalTrafficPolicy: 'Local', healthCheckNodePort: 32_002 }),
  createTestService(3, 'inner', 'NodePort', ['a1', 'a2', 'b1'], { internalTrafficPolicy: 'Local' }),
  createTestService(4, 'near', 'ClusterIP', ['a1', 'a2', 'b1'], { trafficDistribution: 'PreferSameZone' }),
  createTestService(5, 'own', 'ClusterIP', ['a1', 'b1'], { trafficDistribution: 'PreferSameNode' }),
  createTestService(6, 'leaving', 'NodePort', ['a3', 'b2'], { externalTrafficPolicy: 'Local' }),
  createTestService(7, 'idle', 'LoadBalancer', ['a3'], {}),
  createTestService(8, 'far', 'NodePort', ['b1'], { externalTrafficPolicy: 'Local', internalTrafficPolicy: 'Local' }),
  createTestService(9, 'ranged', 'LoadBalancer', ['a1', 'a2', 'b1'], { loadBalancerSourceRanges: ranges }),
  createTestService(10, 'early', 'ClusterIP', ['a3'], { publishNotReadyAddresses: true }),
  createTestService(11, 'sticky', 'NodePort', allPods, clientIP),
];

/** Creates a Service whose addresses and ports are derived from its index. */
export function createTestService(
  number: number,
  name: string,
  type: 'ClusterIP' | 'NodePort' | 'LoadBalancer',
  members: readonly string[],
  specFields: TestService['specFields'],
  ports: readonly Port[] = [http],
): TestService {
  const addressesOf = (last: number): string[] => [`203.0.113.${last}`, `2001:db8:1::${last}`];
  const isBalanced = type === 'LoadBalancer';
  return {
    name,
    members,
    type,
    ports: type === 'ClusterIP' ? ports : ports.map((port, i) => ({ ...port, nodePort: 30_000 + number * 10 + i })),
    clusterIPs: [`10.96.0.${10 + number}`, `fd00:96::${10 + number}`],
    externalIPs: isBalanced ? addressesOf(10 + number) : [],
    ingress: isBalanced ? addressesOf(100 + number) : [],
    specFields,
  };
}

/** Returns the address and port that reach a Service's port. */
export function targetOf(service: TestService, port: Port, via: Via, family: Family, nodes: Readonly<Record<string, Addresses>>): Target {
  const addressOf = (addresses: readonly string[]): string => addresses[family === 'IPv4' ? 0 : 1] ?? '';
  const targets: Readonly<Record<Via, () => Target>> = {
    'cluster IP': () => ({ to: addressOf(service.clusterIPs), port: port.port }),
    'external IP': () => ({ to: addressOf(service.externalIPs), port: port.port }),
    'load balancer IP': () => ({ to: addressOf(service.ingress), port: port.port }),
    'node port on loopback': () => ({ to: family === 'IPv4' ? '127.0.0.1' : '::1', port: port.nodePort ?? 0 }),
    'node port of a': () => ({ to: nodes['a']?.[family] ?? '', port: port.nodePort ?? 0 }),
    'node port of b': () => ({ to: nodes['b']?.[family] ?? '', port: port.nodePort ?? 0 }),
  };
  return targets[via]();
}

export interface Target {
  readonly to: string;
  readonly port: number;
}
