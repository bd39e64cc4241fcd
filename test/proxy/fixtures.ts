import { createNodeView, type NodeView, type ProxyNode, type ProxyService, type ServicePortView } from '../../src/proxy/index.ts';
import type { EndpointInput, EndpointSliceInput, IPFamily } from '../../src/types/index.ts';

/** The fields of an endpoint; by default it is ready and on another node. */
export interface EndpointSpec {
  readonly ip: string;
  readonly node?: string;
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
  readonly zones?: readonly string[];
  readonly nodes?: readonly string[];
}

export const node: ProxyNode = {
  name: 'n1',
  labels: { 'topology.kubernetes.io/zone': 'a' },
  addresses: ['192.168.0.1', 'fd00::1'],
  podCIDRs: ['10.0.0.0/8', 'fd00:10::/64'],
  serviceCIDRs: ['10.96.0.0/16', 'fd00:96::/112'],
};

type Spec = NonNullable<ProxyService['spec']>;

/** The Service shop/web with port 80 and overrides for its spec. */
export const makeWebService = (spec: Spec = {}, status?: ProxyService['status'], name = 'web'): ProxyService => ({
  metadata: { namespace: 'shop', name },
  spec: { type: 'ClusterIP', clusterIP: '10.96.0.1', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], ...spec },
  ...(status && { status }),
});

/** A slice of the Service shop/web. */
export const makeSlice = (
  endpoints: readonly EndpointSpec[],
  addressType: IPFamily = 'IPv4',
  name = 'web-1',
  service = 'web',
): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name, labels: { 'kubernetes.io/service-name': service } },
  addressType,
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: endpoints.map(endpointOf),
});

const endpointOf = ({
  ip,
  node: nodeName = 'n2',
  ready = true,
  serving = ready,
  terminating = false,
  zones,
  nodes,
}: EndpointSpec): EndpointInput => ({
  addresses: [ip],
  nodeName,
  conditions: { ready, serving, terminating },
  hints: { forZones: (zones ?? []).map((name) => ({ name })), forNodes: (nodes ?? []).map((name) => ({ name })) },
});

export const makeNodeView = (service: ProxyService, endpoints: readonly EndpointSpec[], family: IPFamily = 'IPv4'): NodeView =>
  createNodeView({ services: [service], endpointSlices: [makeSlice(endpoints, family)] }, node, { family });

/** The only port of the Service. */
export function portOf(service: ProxyService, endpoints: readonly EndpointSpec[], family: IPFamily = 'IPv4'): ServicePortView {
  const [port, ...others] = makeNodeView(service, endpoints, family).ports;
  if (!port || others.length > 0) throw new Error('the fixture needs a Service with one port');
  return port;
}

export const textsOf = (endpoints: ServicePortView['cluster']): readonly string[] | undefined => endpoints?.map(({ text }) => text);

/** Conditions of a terminating endpoint that serves. */
export const drainingConditions = { ready: false, serving: true, terminating: true } as const;
