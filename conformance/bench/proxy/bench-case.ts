import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { ProxyWorld } from '../../oracle/proxy/case.ts';

/** Input of the Go program that measures kube-proxy: a node, and changed slices, which replace existing ones one after another. */
export interface ProxyBenchCase extends ProxyWorld {
  readonly changes: readonly EndpointSliceInput[];
}

/** Creates a cluster of Services with one port each, and one of its nodes. */
export function createBenchCase(serviceCount: number, endpointCount: number, mode: 'nftables' | 'iptables'): ProxyBenchCase {
  const numbers = Array.from({ length: serviceCount }, (_, index) => index);
  return {
    id: mode,
    nodeName: 'n0',
    nodeLabels: { 'kubernetes.io/hostname': 'n0' },
    nodeIPs: ['192.168.0.2'],
    podCIDRs: ['10.0.0.0/9'],
    serviceCIDRs: ['10.200.0.0/13'],
    services: numbers.map(createService),
    endpointSlices: numbers.map((index) => createSlice(index, endpointCount)),
    rules: [mode],
    // A prime step spreads the changes over the Services.
    changes: Array.from({ length: 20 }, (_, change) => createSlice((change * 251) % serviceCount, endpointCount, change % 2)),
  };
}

const [namespaceCount, nodeCount] = [50, 100];

const metadataOf = (index: number): { name: string; namespace: string } => ({
  name: `web-${index}`,
  namespace: `team-${index % namespaceCount}`,
});

const createService = (index: number): ProxyWorld['services'][number] => ({
  metadata: metadataOf(index),
  spec: {
    type: 'ClusterIP',
    clusterIP: `10.200.${index >> 8}.${index & 255}`,
    clusterIPs: [`10.200.${index >> 8}.${index & 255}`],
    ipFamilies: ['IPv4'],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    sessionAffinity: 'None',
  },
});

/** @param change selects a different address for the first endpoint */
function createSlice(index: number, endpointCount: number, change?: number): EndpointSliceInput {
  const { name, namespace } = metadataOf(index);
  return {
    metadata: { name: `${name}-ipv4`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: endpointCount }, (_, member) => ({
      addresses: [`10.${member === 0 && change !== undefined ? 100 + change : member}.${index >> 8}.${index & 255}`],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: `n${(index + member) % nodeCount}`,
    })),
  };
}
