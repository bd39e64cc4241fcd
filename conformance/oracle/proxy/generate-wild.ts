import type { ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Random } from '../random.ts';

type Spec = NonNullable<ProxyService['spec']>;

const numbers: readonly number[] = [0, -1, 65_536, 2_147_483_647];
const names: readonly string[] = ['a b', '"', 'a:b', 'a/b', '\u00e9', 'constructor', '__proto__', '-'];
const addresses: readonly string[] = [
  'bogus',
  '',
  ' 10.0.0.1',
  '10.0.0',
  '10.0.0.1.',
  '1.2.3.4%eth0',
  ':',
  ':::',
  '1:2:3:4:5:6:7:8:9',
  'fe80::1%eth0',
  '0.0.0.0',
  '::',
];

const changeSpec =
  (change: (random: Random, spec: Spec) => Spec) =>
  (random: Random, service: ProxyService): ProxyService => ({
    ...service,
    spec: { ...service.spec, ...change(random, service.spec ?? {}) },
  });

const portsWith = ({ ports }: Spec, field: string, value: () => unknown): Spec => ({
  ports: (ports ?? []).map((port) => ({ ...port, [field]: value() })),
});

/** Changes after which an API server refuses a Service. */
export const wildServices: readonly ((random: Random, service: ProxyService) => ProxyService)[] = [
  changeSpec((random, spec) => portsWith(spec, 'port', () => random.pick(numbers))),
  changeSpec((random, spec) => portsWith(spec, 'nodePort', () => random.pick(numbers))),
  changeSpec((random, spec) => portsWith(spec, 'protocol', () => random.pick(['tcp', 'ICMP', ' TCP', 'constructor']))),
  changeSpec((random, spec) => portsWith(spec, 'name', () => random.pick(names))),
  changeSpec((random) => {
    const clusterIP = random.pick(addresses);
    return { clusterIP, clusterIPs: [clusterIP], ipFamilies: [random.pick(['IPv4', 'IPv6', 'IPv5'])] };
  }),
  changeSpec((random) => ({ clusterIP: random.pick([...addresses, 'none']), ipFamilies: null })),
  changeSpec((random) => ({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: random.pick(numbers) } } })),
  (random, service) => ({ ...service, metadata: { ...service.metadata, name: random.pick([...names, '']) } }),
  (random, service) => ({ ...service, metadata: { ...service.metadata, namespace: random.pick([...names, '']) } }),
];

/** Changes after which an API server refuses a slice. */
export const wildSlices: readonly ((random: Random, slice: EndpointSliceInput) => EndpointSliceInput)[] = [
  (random, slice) => ({ ...slice, ports: (slice.ports ?? []).map((port) => ({ ...port, port: random.pick(numbers) })) }),
  (random, slice) => ({ ...slice, ports: (slice.ports ?? []).map((port) => ({ ...port, name: random.pick(names) })) }),
  (random, slice) => ({ ...slice, ports: (slice.ports ?? []).map((port) => ({ ...port, protocol: random.pick(['tcp', 'ICMP']) })) }),
  (random, slice) => {
    const unusedIPs = random.shuffle(addresses);
    return {
      ...slice,
      endpoints: (slice.endpoints ?? []).map((endpoint) =>
        random.chance(0.5) ? { ...endpoint, addresses: [unusedIPs.pop() ?? '10.9.8.7'] } : endpoint,
      ),
    };
  },
  (random, slice) => ({
    ...slice,
    metadata: { ...slice.metadata, labels: { 'kubernetes.io/service-name': random.pick(names) } },
  }),
];
