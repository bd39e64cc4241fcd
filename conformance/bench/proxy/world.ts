import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { ProxyWorld } from '../../oracle/proxy/case.ts';

/** Input of the oracle's `bench` mode: a node, and slices that replace others one after another. */
export interface ProxyBenchCase extends ProxyWorld {
  readonly changes: readonly EndpointSliceInput[];
}

/** A node of a cluster with one-port Services, whose endpoints are on other nodes. */
export function worldOf(services: number, endpoints: number, mode: 'nftables' | 'iptables'): ProxyBenchCase {
  const numbers = Array.from({ length: services }, (_, at) => at);
  return {
    id: mode,
    nodeName: 'n0',
    nodeLabels: { 'kubernetes.io/hostname': 'n0' },
    nodeIPs: ['192.168.0.2'],
    podCIDRs: ['10.0.0.0/9'],
    serviceCIDRs: ['10.200.0.0/13'],
    services: numbers.map(serviceOf),
    endpointSlices: numbers.map((at) => sliceOf(at, endpoints)),
    rules: [mode],
    changes: Array.from({ length: 20 }, (_, change) => sliceOf((change * 251) % services, endpoints, change % 2)),
  };
}

const [namespaces, nodes] = [50, 100];

const metadataOf = (at: number): { name: string; namespace: string } => ({ name: `web-${at}`, namespace: `team-${at % namespaces}` });

const serviceOf = (at: number): ProxyWorld['services'][number] => ({
  metadata: metadataOf(at),
  spec: {
    type: 'ClusterIP',
    clusterIP: `10.200.${at >> 8}.${at & 255}`,
    clusterIPs: [`10.200.${at >> 8}.${at & 255}`],
    ipFamilies: ['IPv4'],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    sessionAffinity: 'None',
  },
});

/** @param change moves the first endpoint to another address */
function sliceOf(at: number, endpoints: number, change?: number): EndpointSliceInput {
  const { name, namespace } = metadataOf(at);
  return {
    metadata: { name: `${name}-ipv4`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: endpoints }, (_, member) => ({
      addresses: [`10.${member === 0 && change !== undefined ? 100 + change : member}.${at >> 8}.${at & 255}`],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: `n${(at + member) % nodes}`,
    })),
  };
}
