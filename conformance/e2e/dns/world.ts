/** A cluster that is small enough to write its expected records by hand. */
export const objects: readonly Record<string, unknown>[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'empty' } },
  service('web', {
    clusterIP: '10.96.0.10',
    clusterIPs: ['10.96.0.10', 'fd00:96::a'],
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
    ports: [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  }),
  service('db', { clusterIP: 'None', ports: [{ name: 'pg', port: 5432 }] }),
  slice(
    'db',
    'db-1',
    [
      { addresses: ['10.1.0.1'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.1.0.2'], conditions: { ready: true } },
      { addresses: ['10.1.0.3'], hostname: 'db-2', conditions: { ready: false } },
    ],
    [{ name: 'pg', port: 5432, protocol: 'TCP' }],
  ),
  service('down', { clusterIP: 'None', ports: [{ name: 'x', port: 1 }] }),
  service('outside', { type: 'ExternalName', externalName: 'example.com' }),
  // Valid for an API server, but their records do not fit into one packet.
  service('long', { clusterIP: '10.96.0.11', clusterIPs: ['10.96.0.11'], ports: [{ name: 'p'.repeat(63), port: 80, protocol: 'TCP' }] }),
  service('far', { type: 'ExternalName', externalName: `${'x'.repeat(64)}.example.com` }),
  service('alias', { type: 'ExternalName', externalName: 'web.shop.svc.cluster.local' }),
  service('many', { clusterIP: 'None', ports: [{ name: 'x', port: 1, protocol: 'TCP' }] }),
  ...[0, 1].map((index) =>
    slice(
      'many',
      `many-${index}`,
      Array.from({ length: 100 }, (_, i) => ({ addresses: [`10.2.${index}.${i}`], conditions: { ready: true } })),
      [],
    ),
  ),
  service('several', { clusterIP: 'None', ports: [{ name: 'x', port: 1 }] }),
  {
    ...slice('several', 'several-1', [{ addresses: ['a.example.com', 'b.example.com'], conditions: { ready: true } }], []),
    addressType: 'FQDN',
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', uid: 'p' },
    spec: { containers: [{ name: 'c', image: 'c' }] },
    status: { phase: 'Running', podIP: '10.3.0.1', podIPs: [{ ip: '10.3.0.1' }] },
  },
];

function service(name: string, spec: Record<string, unknown>): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' }, spec };
}

function slice(serviceName: string, name: string, endpoints: readonly object[], ports: readonly object[]): Record<string, unknown> {
  const labels = { 'kubernetes.io/service-name': serviceName };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'shop', labels },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}
