import { createRandom } from '../../examples/random.ts';
import { createPod, createPodPort, type Source } from './healthy-pods.ts';
import type { Application, NodeObject, OtherObject, PodObject, ServiceObject, SliceObject, WorkloadObject, World } from './objects.ts';

const names = ['web', 'api', 'cart', 'orders', 'billing', 'search', 'auth', 'mailer', 'queue', 'ledger'] as const;
const namespaces = ['shop', 'ops', 'payments'] as const;
const workloadKinds = ['Deployment', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', undefined, undefined] as const;

/** Generates a cluster in which every Service works. */
export function createWorld(seed: number): World {
  let count = 0;
  const random: Source = { ...createRandom(seed), next: () => ++count };
  const nodes = Array.from({ length: 3 + random.below(3) }, (_, index) => createNode(`node-${index + 1}`));
  const world: World = { namespaces: namespaces.map(createNamespace), nodes, applications: [], others: [] };
  for (const namespace of namespaces)
    for (const name of names) if (random.chance(0.45)) world.applications.push(createApplication(namespace, name, world, random));
  const first = world.applications[0] ?? createApplication('shop', 'web', world, random);
  if (world.applications.length === 0) world.applications.push(first);
  world.applications.push(createWritten('shop', 'legacy', random), createExternal('ops', 'alias', first.service, random));
  return world;
}

function createApplication(namespace: string, name: string, world: World, random: Source): Application {
  const kind = random.pick(workloadKinds);
  const labels = createLabels(name, random);
  const isDualStack = random.chance(0.2);
  const port = createPodPort(random);
  const isHeadless = kind === 'StatefulSet' || random.chance(0.1);
  const count = kind === 'DaemonSet' ? world.nodes.length : 1 + random.below(4);
  const owner = kind && createWorkload(kind, namespace, name, labels, count, port);
  const pods = Array.from({ length: count }, (_, index) => {
    const node = world.nodes[(kind === 'DaemonSet' ? index : random.below(world.nodes.length)) % world.nodes.length] as NodeObject;
    const podName = kind === 'StatefulSet' ? `${name}-${index}` : `${name}-${random.suffix(5)}${index}`;
    const pod = createPod({ namespace, name: podName, labels, node: node.metadata.name, isDualStack, port }, random);
    if (kind === 'StatefulSet') Object.assign(pod.spec, { hostname: podName, subdomain: name });
    if (kind === 'Job' || kind === 'CronJob') pod.spec.restartPolicy = 'Never';
    return pod;
  });
  const service = createService(namespace, name, { labels, port, isHeadless, isDualStack }, random);
  if (owner && kind === 'Deployment') world.others.push(createReplicaSet(owner, random));
  if (random.chance(0.2)) world.others.push(createPeers(service));
  const slices = random.chance(0.6) ? createSlices(service, pods) : [];
  addRemains(world, { namespace, name, labels, isDualStack, port }, random);
  if (random.chance(0.3)) world.others.push(createAllowingPolicy(namespace, name, labels, port.containerPort, random));
  return { service, ...(owner && { workload: owner }), pods, slices };
}

function createLabels(name: string, random: Source): Record<string, string> {
  if (random.chance(0.3)) return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': `${name}-prod` };
  return { app: name, ...(random.chance(0.4) && { tier: random.pick(['front', 'back']) }), ...(random.chance(0.2) && { track: 'stable' }) };
}

const createNamespace = (name: string): OtherObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  status: { phase: 'Active' },
});

const createNode = (name: string): NodeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name } },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] },
});

type PodPort = ReturnType<typeof createPodPort>;

function createWorkload(kind: string, namespace: string, name: string, labels: Record<string, string>, count: number, port: PodPort) {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', ports: [port] }] } };
  const workload: WorkloadObject = {
    apiVersion: kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { namespace, name, uid: `${namespace}-${kind}-${name}` },
    spec: kind === 'CronJob' ? { jobTemplate: { spec: { template } } } : { template },
    status: kind === 'DaemonSet' ? { desiredNumberScheduled: count } : {},
  };
  if (kind === 'Deployment' || kind === 'StatefulSet') workload.spec.replicas = count;
  if (kind === 'StatefulSet') workload.spec.serviceName = name;
  return workload;
}

/** A Deployment has a ReplicaSet for each revision; only the last one has pods. */
function createReplicaSet({ metadata, spec }: WorkloadObject, random: Source): WorkloadObject {
  const name = `${metadata.name}-${random.suffix(8)}`;
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name, uid: metadata.uid, controller: true };
  const { template } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { namespace: metadata.namespace, name, uid: name, ownerReferences: [owner] },
    spec: { replicas: random.chance(0.5) ? 0 : 1, ...(template && { template }) },
    status: {},
  };
}

/** A second, headless Service of the same pods, without ports. */
const createPeers = ({ metadata, spec }: ServiceObject): ServiceObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: metadata.namespace ?? '', name: `${metadata.name}-peers`, uid: `${metadata.uid}-peers` },
  spec: { type: 'ClusterIP', clusterIP: 'None', selector: { ...spec.selector }, ports: [], ipFamilies: ['IPv4'] },
});

interface ServiceOptions {
  readonly labels: Record<string, string>;
  readonly port: PodPort;
  readonly isHeadless: boolean;
  readonly isDualStack: boolean;
}

function createService(namespace: string, name: string, options: ServiceOptions, random: Source): ServiceObject {
  const { labels, port, isHeadless, isDualStack } = options;
  const isBalanced = !isHeadless && random.chance(0.25);
  const address = random.next();
  const targetPort = port.name !== undefined && random.chance(0.5) ? port.name : port.containerPort;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, uid: `${namespace}-${name}`, ...(isBalanced && { finalizers: [loadBalancerFinalizer] }) },
    spec: {
      type: isBalanced ? 'LoadBalancer' : 'ClusterIP',
      clusterIP: isHeadless ? 'None' : `10.96.${address >> 8}.${address & 255}`,
      selector: { ...labels },
      ports: [{ name: 'main', port: 80, protocol: port.protocol, targetPort, ...(isBalanced && { nodePort: 30_080 }) }],
      ipFamilies: isDualStack ? ['IPv4', 'IPv6'] : ['IPv4'],
      ...(random.chance(0.1) && { publishNotReadyAddresses: true }),
    },
    ...(isBalanced && { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } } }),
  };
}

export const loadBalancerFinalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** The slices of ready pods, as the EndpointSlice controller writes them. */
export function createSlices({ metadata, spec }: ServiceObject, pods: readonly PodObject[]): SliceObject[] {
  return (spec.ipFamilies ?? []).map((family, index): SliceObject => {
    const isFamily = (ip: string): boolean => ip.includes(':') === (family === 'IPv6');
    return {
      ...createSlice(metadata.namespace ?? '', `${metadata.name}-slice${index}`, metadata.name),
      addressType: family,
      endpoints: pods.map(({ metadata: { namespace, name, uid }, spec: { nodeName = '' }, status }) => ({
        addresses: (status.podIPs ?? []).flatMap(({ ip }) => (isFamily(ip) ? [ip] : [])).slice(0, 1),
        conditions: { ready: true },
        nodeName,
        targetRef: { kind: 'Pod', namespace, name, uid },
      })),
      ports: spec.ports.map(({ name = '', protocol }) => ({
        name,
        port: pods[0]?.spec.containers[0]?.ports?.[0]?.containerPort ?? 80,
        protocol,
      })),
    };
  });
}

const createSlice = (namespace: string, name: string, service: string): SliceObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace, name, uid: `${namespace}-${name}`, labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  endpoints: [],
  ports: [],
});

/** Pods of the past that do not matter, beside ready pods. */
function addRemains(world: World, pod: Omit<Parameters<typeof createPod>[0], 'node'>, random: Source): void {
  const node = world.nodes[0]?.metadata.name ?? '';
  if (random.chance(0.15)) {
    const evicted = createPod({ ...pod, name: `${pod.name}-evicted`, node }, random);
    evicted.status = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.', conditions: [] };
    world.others.push(evicted);
  }
  if (random.chance(0.15)) {
    const ending = createPod({ ...pod, name: `${pod.name}-ending`, node }, random);
    ending.metadata.deletionTimestamp = '2026-05-02T00:00:00Z';
    world.others.push(ending);
  }
}

const createAllowingPolicy = (
  namespace: string,
  name: string,
  labels: Record<string, string>,
  port: number,
  random: Source,
): OtherObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace, name: `allow-${name}` },
  spec: {
    podSelector: { matchLabels: labels },
    policyTypes: ['Ingress'],
    ingress: [
      random.pick<object>([
        {},
        {
          ports: [
            { port, protocol: 'TCP' },
            { port, protocol: 'UDP' },
          ],
        },
        { from: [{ namespaceSelector: {} }] },
      ]),
    ],
  },
});

/** A Service without a selector, whose slice somebody writes. */
function createWritten(namespace: string, name: string, random: Source): Application {
  const ports = [{ name: 'db', port: 5432, protocol: 'TCP', targetPort: 5432 }];
  const service: ServiceObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, uid: `${namespace}-${name}` },
    spec: { type: 'ClusterIP', clusterIP: '10.97.0.1', ports, ipFamilies: ['IPv4'] },
  };
  const slice = createSlice(namespace, `${name}-by-hand`, name);
  slice.endpoints = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    addresses: [`192.0.2.${index + 1}`],
    conditions: { ready: true },
  }));
  slice.ports = [{ name: 'db', port: 5432, protocol: 'TCP' }];
  return { service, pods: [], slices: [slice] };
}

function createExternal(namespace: string, name: string, target: ServiceObject, random: Source): Application {
  const externalName = random.chance(0.5) ? 'db.example.com' : `${target.metadata.name}.${target.metadata.namespace}.svc.cluster.local`;
  const metadata = { namespace, name, uid: `${namespace}-${name}` };
  return {
    service: { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'ExternalName', externalName, ports: [] } },
    pods: [],
    slices: [],
  };
}
