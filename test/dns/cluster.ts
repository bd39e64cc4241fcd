import type { DnsObjects } from '../../src/dns/index.ts';
import type { DnsNamespace, DnsService } from '../../src/dns/objects.ts';
import type { EndpointInput, EndpointSliceInput, Pod } from '../../src/types/index.ts';

export const makeNamespace = (name: string): DnsNamespace => ({ metadata: { name } });

/** A Service with a cluster IP and the TCP port http. */
export const makeService = (name: string, spec: DnsService['spec'] = {}, more: DnsService = {}): DnsService => ({
  metadata: { name, namespace: 'shop' },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    ...spec,
  },
  ...more,
});

export const makeHeadlessService = (name: string, spec: DnsService['spec'] = {}): DnsService =>
  makeService(name, { clusterIP: 'None', clusterIPs: ['None'], ...spec });

export const makeExternalNameService = (name: string, target: string): DnsService => ({
  metadata: { name, namespace: 'shop' },
  spec: { type: 'ExternalName', externalName: target },
});

/** A slice of a Service in namespace shop, with the port http. */
export const makeSlice = (serviceName: string, endpoints: readonly EndpointInput[], more: EndpointSliceInput = {}): EndpointSliceInput => ({
  metadata: { name: `${serviceName}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': serviceName } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints,
  ...more,
});

export const makeEndpoint = (address: string, more: EndpointInput = {}): EndpointInput => ({
  addresses: [address],
  conditions: { ready: true },
  ...more,
});

export const makePod = (name: string, podIP: string, status: Pod['status'] = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name, namespace: 'shop', ...metadata },
  status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], ...status },
});

/** Namespace shop with a Service of each kind. */
export const shopObjects: DnsObjects = {
  namespaces: [makeNamespace('shop'), makeNamespace('back')],
  services: [
    makeService('web', { clusterIPs: ['10.0.0.1', 'fd00::1'] }),
    makeHeadlessService('db', { ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] }),
    makeHeadlessService('idle'),
    makeExternalNameService('docs', 'docs.example.com'),
    makeService('bare', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ports: [] }),
  ],
  endpointSlices: [
    makeSlice('web', [makeEndpoint('10.1.0.1', { targetRef: { kind: 'Pod', name: 'web-0' } })]),
    makeSlice('db', [makeEndpoint('10.1.0.2', { hostname: 'db-0' }), makeEndpoint('10.1.0.3', { hostname: 'db-1' })], {
      ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
    }),
    makeSlice('idle', [makeEndpoint('10.1.0.4', { conditions: { ready: false } })]),
  ],
  pods: [makePod('web-0', '10.1.0.1')],
};
