import type { DnsObjects } from '../../src/dns/index.ts';
import type { DnsNamespace, DnsService } from '../../src/dns/objects.ts';
import type { EndpointInput, EndpointSliceInput, Pod } from '../../src/types/index.ts';

export const namespace = (name: string): DnsNamespace => ({ metadata: { name } });

/** A Service with a cluster IP and the TCP port http. */
export const service = (name: string, spec: DnsService['spec'] = {}, more: DnsService = {}): DnsService => ({
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

export const headless = (name: string, spec: DnsService['spec'] = {}): DnsService =>
  service(name, { clusterIP: 'None', clusterIPs: ['None'], ...spec });

export const externalName = (name: string, target: string): DnsService => ({
  metadata: { name, namespace: 'shop' },
  spec: { type: 'ExternalName', externalName: target },
});

/** A slice of a Service in namespace shop, with the port http. */
export const slice = (serviceName: string, endpoints: readonly EndpointInput[], more: EndpointSliceInput = {}): EndpointSliceInput => ({
  metadata: { name: `${serviceName}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': serviceName } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints,
  ...more,
});

export const endpoint = (address: string, more: EndpointInput = {}): EndpointInput => ({
  addresses: [address],
  conditions: { ready: true },
  ...more,
});

export const pod = (name: string, podIP: string, status: Pod['status'] = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name, namespace: 'shop', ...metadata },
  status: { phase: 'Running', podIP, ...status },
});

/** Namespace shop with a Service of each kind. */
export const shop: DnsObjects = {
  namespaces: [namespace('shop'), namespace('back')],
  services: [
    service('web', { clusterIPs: ['10.0.0.1', 'fd00::1'] }),
    headless('db', { ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] }),
    headless('idle'),
    externalName('docs', 'docs.example.com'),
    service('bare', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ports: [] }),
  ],
  endpointSlices: [
    slice('web', [endpoint('10.1.0.1', { targetRef: { kind: 'Pod', name: 'web-0' } })]),
    slice('db', [endpoint('10.1.0.2', { hostname: 'db-0' }), endpoint('10.1.0.3', { hostname: 'db-1' })], {
      ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
    }),
    slice('idle', [endpoint('10.1.0.4', { conditions: { ready: false } })]),
  ],
  pods: [pod('web-0', '10.1.0.1')],
};
