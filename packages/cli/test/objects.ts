import type { EndpointsMeta } from 'kube-endpoints/internal';
import type { EndpointSliceInput, Endpoints, Node, Pod, Service } from 'kube-endpoints/types';
import type { Inventory, RelatedObjects } from '../src/input/collection.ts';
import { relatedKindNames } from '../src/input/related-kinds.ts';
import { createScope, type Scope, type ScopeOptions } from '../src/input/scope.ts';
import { createPainter, type Style } from '../src/print/style.ts';

/** Style of a pipe: without colours or wrapping. */
export const plainStyle: Style = { paint: createPainter(false), width: undefined, wide: false };
export const wideStyle: Style = { ...plainStyle, wide: true };
/** Readable colours: "red(text)". */
export const markedStyle: Style = { ...plainStyle, paint: (text, colour) => (colour ? `${colour}(${text})` : text) };

export const service = (name: string, spec: Service['spec'] = {}, metadata: Service['metadata'] = {}): Service => ({
  metadata: { name, namespace: 'shop', creationTimestamp: '2026-01-31T12:00:00Z', ...metadata },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.1',
    ipFamilies: ['IPv4'],
    selector: { app: name },
    ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
    ...spec,
  },
});

/** A ready pod with the label "app". */
export const pod = (name: string, app: string, ip: string, status: Pod['status'] = {}, namespace = 'shop'): Pod => ({
  metadata: { name, namespace, uid: `uid-of-${name}`, labels: { app } },
  spec: { nodeName: 'node-1', restartPolicy: 'Always', containers: [{ name: app }] },
  status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }], ...status },
});

export const notReadyStatus: Pod['status'] = { conditions: [{ type: 'Ready', status: 'False' }] };
export const failedStatus: Pod['status'] = { ...notReadyStatus, phase: 'Failed' };

export const endpoints = (name: string, subsets: Endpoints['subsets'] = [], metadata: Partial<EndpointsMeta> = {}): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name, namespace: 'shop', ...metadata },
  ...(subsets.length > 0 && { subsets }),
});

/** A node in a zone; if `zone` is empty, a node without a zone. */
export const node = (name: string, zone: string): Node => ({
  metadata: { name, ...(zone && { labels: { 'topology.kubernetes.io/zone': zone } }) },
  status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
});

/** A slice of a Service, managed by the EndpointSlice controller unless `manager` is given. */
export const slice = (
  name: string,
  service: string,
  rest: Partial<EndpointSliceInput> = {},
  manager = 'endpointslice-controller.k8s.io',
): EndpointSliceInput => ({
  metadata: {
    name,
    namespace: 'shop',
    labels: { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': manager },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: service, uid: '', controller: true }],
  },
  addressType: 'IPv4',
  endpoints: [],
  ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  ...rest,
});

export const inventoryOf = (objects: Partial<Inventory>): Inventory => ({
  services: [],
  pods: [],
  endpoints: [],
  slices: [],
  nodes: undefined,
  namespaces: [],
  serviceCIDRs: [],
  servicesWithPlaceholderIP: new Set(),
  events: [],
  ignoredCount: 0,
  oldSliceCount: 0,
  related: Object.fromEntries(relatedKindNames.map((kind) => [kind, []])) as unknown as RelatedObjects,
  unreadKinds: new Set(),
  areSlicesComplete: false,
  templatePods: new Set(),
  invalidObjects: new Set(),
  problems: [],
  ...objects,
});

export const scopeOf = (objects: Partial<Inventory>, options: Partial<ScopeOptions> = {}): Scope =>
  createScope(inventoryOf(objects), { namespace: undefined, names: [], includesOrphans: false, ...options });
