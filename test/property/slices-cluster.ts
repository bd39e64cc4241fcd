import type { EndpointSliceInput, Node, Pod, Service } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';

/** A change of the cluster, encoded as its kind and two numbers. */
export interface Change {
  readonly kind: ChangeKind;
  /** Selects the object to change, modulo the length of its list. */
  readonly index: number;
  /** Selects the new content. */
  readonly pick: number;
}

/** The inputs of the syncs of one Service. Lists and their objects are replaced or changed in place. */
export interface TestCluster {
  service: Service;
  pods: Pod[];
  nodes: Node[] | undefined;
  /** The number of pods created so far. */
  podCount: number;
}

export const createCluster = (): TestCluster => ({ service: makeWeb({}), pods: [], nodes: allNodes.slice(), podCount: 0 });

/** Applies one change. Two clusters with the same changes are equal. */
export function applyChange(cluster: TestCluster, { kind, index, pick }: Change): void {
  changes[kind](cluster, index, pick);
}

const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.10', '10.0.0.20', 'fd00::1', 'fd00::2', 'fd00:0::1', '010.0.0.9'];
const zones = ['a', 'b', 'c'];
const choose = <T>(values: readonly T[], pick: number): T => values[pick % values.length] as T;

const makeNode = (name: string, zone: string | undefined, cpu = '4', ready = 'True'): Node => ({
  metadata: { name, labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: ready }], allocatable: { cpu } },
});
const allNodes: readonly Node[] = zones.map((zone) => makeNode(`n-${zone}`, zone));

function makePod(cluster: TestCluster, pick: number): Pod {
  const name = `p${cluster.podCount++}`;
  // Most pods have unique addresses, some share one.
  const ownIPs = [`10.1.${cluster.podCount >> 8}.${cluster.podCount & 255}`, `fd00:1::${cluster.podCount.toString(16)}`];
  const sharedIPs = [choose(addresses, pick), choose(addresses, pick >> 3)];
  const ips = pick % 5 === 0 ? sharedIPs : pick % 5 === 1 ? ownIPs.slice(0, 1) : ownIPs;
  return {
    metadata: { name, namespace: 'shop', uid: `u-${name}`, resourceVersion: '1', labels: { app: pick % 11 === 0 ? 'other' : 'web' } },
    spec: {
      nodeName: choose(['n-a', 'n-a', 'n-b', 'n-c', 'n-a', 'n-b', 'n-gone'], pick >> 2),
      containers: [{ ports: [{ name: 'http', containerPort: choose([8080, 8080, 8080, 9090], pick >> 4), protocol: 'TCP' }] }],
      ...(pick % 7 === 0 && { hostname: choose(['h1', 'h2'], pick), subdomain: 'web' }),
    },
    status: statusOf(ips, pick % 3 !== 0),
  };
}

const statusOf = (ips: readonly string[], ready: boolean): Pod['status'] => ({
  phase: 'Running',
  podIP: ips[0] ?? '',
  podIPs: ips.map((ip) => ({ ip })),
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T12:00:00Z' }],
});

type Writable<T> = { -readonly [K in keyof T]: T[K] };
interface WritablePod {
  metadata: Writable<NonNullable<Pod['metadata']>>;
  spec: NonNullable<Pod['spec']>;
  status: Writable<NonNullable<Pod['status']>>;
}

/** Edits of a pod, which is replaced or changed in place; each edit replaces the part that it changes. */
const edits: readonly ((pod: WritablePod, pick: number) => void)[] = [
  ({ status }, pick) => {
    const [first] = (status.conditions ?? []) as { status: string }[];
    if (first) first.status = pick % 2 === 0 ? 'True' : 'False';
  },
  ({ status }, pick) => {
    status.conditions = pick % 4 === 0 ? [] : [{ type: 'Ready', status: pick % 2 === 0 ? 'True' : 'Unknown' }];
  },
  ({ metadata }) => {
    metadata.deletionTimestamp = '2026-01-01T12:30:00Z';
  },
  ({ status }, pick) => {
    status.phase = choose(['Running', 'Succeeded', 'Failed', 'Pending'], pick);
  },
  ({ status }, pick) => {
    status.podIPs = [{ ip: choose(addresses, pick) }];
    status.podIP = choose(addresses, pick);
  },
  ({ status }) => {
    status.podIPs = [];
    status.podIP = '';
  },
  ({ metadata }, pick) => {
    metadata.labels = { app: choose(['web', 'web', 'other'], pick) };
  },
  (pod, pick) => {
    pod.spec = { ...pod.spec, nodeName: choose(['n-a', 'n-b', 'n-c', 'n-gone', ''], pick) };
  },
  (pod, pick) => {
    pod.spec = { ...pod.spec, restartPolicy: choose(['Always', 'Never', 'OnFailure'], pick) };
  },
  (pod, pick) => {
    pod.metadata = { ...pod.metadata, resourceVersion: String(pick), uid: `u${pick % 3}-${pod.metadata.name}` };
  },
];

const edit = (pod: Pod, pick: number): void => choose(edits, pick)(pod as WritablePod, Math.floor(pick / edits.length));

type ServiceEdit = (service: Service, pick: number) => Service;

const withSpec = (service: Service, spec: Service['spec']): Service => ({ ...service, spec: { ...service.spec, ...spec } });
const withMetadata = (service: Service, metadata: Service['metadata']): Service => ({
  ...service,
  metadata: { ...service.metadata, ...metadata },
});

const tcpPort = (name: string, targetPort: number | string) => ({ name, port: 80, protocol: 'TCP', targetPort });
const portLists = [
  [tcpPort('http', 'http')],
  [tcpPort('http', 8080)],
  [tcpPort('http', 'http'), tcpPort('admin', 9000)],
  [tcpPort('x', 1), tcpPort('y', 2), tcpPort('z', 3)],
  [],
  [tcpPort('none', 'none')],
];
const annotations = [
  {},
  { 'service.kubernetes.io/topology-mode': 'Auto' },
  { 'service.kubernetes.io/topology-aware-hints': 'Auto' },
  { 'service.kubernetes.io/topology-aware-hints': 'perhaps' },
];

const serviceEdits: readonly ServiceEdit[] = [
  (service, pick) => withSpec(service, { ports: choose(portLists, pick) }),
  (service, pick) => withSpec(service, { ipFamilies: choose([['IPv4'], ['IPv4', 'IPv6'], ['IPv6'], undefined], pick) }),
  (service, pick) => withSpec(service, { clusterIP: choose(['10.96.0.1', 'None', 'fd00::a'], pick) }),
  (service, pick) => withSpec(service, { publishNotReadyAddresses: pick % 3 === 0 }),
  (service, pick) => withSpec(service, { selector: choose([{ app: 'web' }, { app: 'web' }, {}, { app: 'other' }], pick) }),
  (service, pick) =>
    withSpec(service, { trafficDistribution: choose([undefined, 'PreferClose', 'PreferSameZone', 'PreferSameNode', 'x'], pick) }),
  (service, pick) => withMetadata(service, { annotations: choose(annotations, pick) }),
  (service, pick) => withMetadata(service, { annotations: choose(annotations, pick) }),
  (service, pick) => withMetadata(service, { labels: choose([{}, { tier: 'x' }, { tier: '' }, { a: '1', b: '2' }], pick) }),
  (service, pick) => withMetadata(service, { uid: choose(['s1', 's1', 's1', 's2'], pick) }),
];

const makeWeb = (spec: Service['spec']): Service => ({
  metadata: { name: 'web', namespace: 'shop', uid: 's1', creationTimestamp: '2026-01-01T11:00:00Z' },
  spec: { selector: { app: 'web' }, clusterIP: '10.96.0.1', ipFamilies: ['IPv4', 'IPv6'], ports: [tcpPort('http', 'http')], ...spec },
});

type ChangeKind = 'add' | 'remove' | 'replace' | 'inPlace' | 'rotate' | 'reverse' | 'service' | 'nodes' | 'restoreNodes';

const changes: Readonly<Record<ChangeKind, (cluster: TestCluster, index: number, pick: number) => void>> = {
  add(cluster: TestCluster, index: number, pick: number): void {
    cluster.pods.splice(index % (cluster.pods.length + 1), 0, makePod(cluster, pick));
  },
  remove(cluster: TestCluster, index: number): void {
    if (cluster.pods.length > 0) cluster.pods.splice(index % cluster.pods.length, 1);
  },
  /** The watch replaces the object. */
  replace(cluster: TestCluster, index: number, pick: number): void {
    if (cluster.pods.length === 0) return;
    const podIndex = index % cluster.pods.length;
    const pod = structuredClone(cluster.pods[podIndex] as Pod);
    edit(pod, pick);
    cluster.pods[podIndex] = pod;
  },
  /** A caller changes an object in place. */
  inPlace(cluster: TestCluster, index: number, pick: number): void {
    if (cluster.pods.length > 0) edit(cluster.pods[index % cluster.pods.length] as Pod, pick);
  },
  rotate(cluster: TestCluster, index: number): void {
    const offset = index % (cluster.pods.length || 1);
    cluster.pods = [...cluster.pods.slice(offset), ...cluster.pods.slice(0, offset)];
  },
  reverse(cluster: TestCluster): void {
    cluster.pods.reverse();
  },
  service(cluster: TestCluster, index: number, pick: number): void {
    cluster.service = choose(serviceEdits, index)(cluster.service, pick);
  },
  nodes(cluster: TestCluster, index: number, pick: number): void {
    if (pick % 8 === 0) {
      cluster.nodes = pick % 16 === 0 ? undefined : [];
      return;
    }
    const nodes = (cluster.nodes ?? allNodes).filter((_, i) => pick % 5 !== 0 || i !== index % allNodes.length);
    const name = `n-${choose(zones, index)}`;
    const changed = makeNode(
      name,
      choose([...zones, undefined], pick),
      choose(['4', '2', '500m', '1', ''], pick >> 2),
      choose(['True', 'True', 'False'], pick >> 3),
    );
    cluster.nodes = [...nodes.filter(({ metadata }) => metadata?.name !== name), changed];
  },
  restoreNodes(cluster: TestCluster): void {
    cluster.nodes = allNodes.slice();
  },
};

/** Contains each kind as often as it is drawn, relative to the others. */
const kinds: readonly ChangeKind[] = [
  ...Array<ChangeKind>(6).fill('add'),
  ...Array<ChangeKind>(4).fill('remove'),
  ...Array<ChangeKind>(5).fill('replace'),
  ...Array<ChangeKind>(4).fill('inPlace'),
  'rotate',
  'reverse',
  'service',
  'service',
  'nodes',
  'restoreNodes',
];

const oneChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...kinds),
  index: fc.nat({ max: 63 }),
  pick: fc.nat({ max: 4095 }),
});

/** The changes before one sync. */
export const changeLists: fc.Arbitrary<Change[]> = fc.array(oneChange, { minLength: 1, maxLength: 4, size: 'max' });

/** `stepCount` steps with at least one change each. The steps are not shrunk, because each depends on all earlier steps. */
export const stepLists = (stepCount: number): fc.Arbitrary<Change[][]> =>
  fc.noShrink(fc.array(changeLists, { minLength: stepCount, maxLength: stepCount, size: 'max' }));

const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const serviceNameLabel = 'kubernetes.io/service-name';
const controllerName = 'endpointslice-controller.k8s.io';

/** Slices that the slice controller does not own for shop/web. */
export const foreignSlices: readonly EndpointSliceInput[] = [
  {
    metadata: {
      name: 'a-mirror',
      namespace: 'shop',
      labels: { [serviceNameLabel]: 'web', [managedByLabel]: 'endpointslicemirroring-controller.k8s.io' },
    },
  },
  { metadata: { name: 'a-mesh', namespace: 'shop', labels: { [serviceNameLabel]: 'web', [managedByLabel]: 'mesh' } } },
  { metadata: { name: 'a-nobody', namespace: 'shop', labels: { [serviceNameLabel]: 'web' } } },
  { metadata: { name: 'a-unlabelled', namespace: 'shop' } },
  { metadata: { name: 'a-other', namespace: 'shop', labels: { [serviceNameLabel]: 'api', [managedByLabel]: controllerName } } },
  { metadata: { name: 'a-elsewhere', namespace: 'other', labels: { [serviceNameLabel]: 'web', [managedByLabel]: controllerName } } },
].map((slice) => ({
  ...slice,
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'a' }] } }],
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
}));
