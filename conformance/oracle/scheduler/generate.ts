import type { ApiObject } from 'kube-endpoints/port';
import type { SchedulerNode, SchedulerPod } from '../../../packages/simulator/src/internal.ts';
import type { Random } from '../random.ts';
import type { SchedulerCase } from './case.ts';
import { makeAffinity, makeLabels, makeSelector, makeSpread, makeTolerations, namespaces, taints, zones } from './generate-constraints.ts';

/** Creates a cluster with nodes, pods on them, and pods to place. */
export function generateScheduler(random: Random, id: string): SchedulerCase {
  const nodes = Array.from({ length: random.chance(0.02) ? 0 : 1 + random.int(random.chance(0.2) ? 12 : 5) }, (_, i) =>
    makeNode(random, i),
  );
  const theme = makeTheme(random);
  const makePods = (count: number, prefix: string): SchedulerPod[] =>
    Array.from({ length: count }, (_, i) => makePod(random, theme, `${prefix}${i}`));
  const pods = makePods(random.int(12), 'p').map((pod) => placePod(random, pod, nodes));
  const makeOwner = (kind: string, apiVersion: string): ApiObject[] =>
    ['web', 'db'].flatMap((name) =>
      random.chance(theme.owners)
        ? [{ apiVersion, kind, metadata: { name, namespace: random.pick(namespaces) }, spec: ownerSpec(random, kind) }]
        : [],
    ) as unknown as ApiObject[];
  return {
    id,
    nodes,
    pods,
    incoming: makePods(1 + random.int(5), 'q'),
    namespaces: namespaces.slice(0, 1 + random.int(3)).map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, ...random.maybe(0.7, () => ({ labels: makeLabels(random) })) },
    })),
    services: makeOwner('Service', 'v1'),
    replicaSets: makeOwner('ReplicaSet', 'apps/v1'),
    statefulSets: makeOwner('StatefulSet', 'apps/v1'),
    replicationControllers: makeOwner('ReplicationController', 'v1'),
  };
}

function ownerSpec(random: Random, kind: string): object {
  if (kind === 'Service' || kind === 'ReplicationController')
    return random.chance(0.1) ? {} : { selector: random.chance(0.1) ? {} : makeLabels(random) };
  return { selector: makeSelector(random) };
}

/** How likely each kind of constraint is in a case. */
interface Theme {
  readonly affinity: number;
  readonly podAffinity: number;
  readonly spread: number;
  readonly ports: number;
  readonly resources: number;
  readonly tolerations: number;
  readonly owners: number;
}

function makeTheme(random: Random): Theme {
  const share = (): number => random.pick([0, 0, 0, 0.2, 0.8]);
  return {
    affinity: share(),
    podAffinity: share(),
    spread: share(),
    ports: share(),
    resources: random.pick([0, 0.2, 0.6, 0.9]),
    tolerations: share(),
    owners: random.pick([0, 0.5, 0.9]),
  };
}

function makeNode(random: Random, index: number): SchedulerNode {
  const labels = {
    ...(random.chance(0.9) && { 'kubernetes.io/hostname': `n${index}` }),
    ...(random.chance(0.85) && { 'topology.kubernetes.io/zone': random.pick(zones) }),
    ...random.maybe(0.5, () => ({ disk: random.pick(['ssd', 'hdd']) })),
    ...random.maybe(0.3, () => ({ cores: random.pick(['2', '8', 'many']) })),
    ...random.maybe(0.3, () => ({ rack: random.pick(['r1', 'r2']) })),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${index}`, labels },
    spec: {
      ...(random.chance(0.04) && { unschedulable: true }),
      ...random.maybe(0.2, () => ({ taints: Array.from({ length: 1 + random.int(2) }, () => random.pick(taints)) })),
    },
    status: {
      ...(random.chance(0.97) && { allocatable: makeAllocatable(random) }),
      ...random.maybe(0.3, () => ({ images: Array.from({ length: 1 + random.int(3) }, () => makeNodeImage(random)) })),
    },
  } as unknown as SchedulerNode;
}

const makeAllocatable = (random: Random): object => ({
  ...(random.chance(0.97) && { cpu: random.pick(['500m', '1', '2', '4', '1500m', '0']) }),
  ...(random.chance(0.97) && { memory: random.pick(['512Mi', '1Gi', '3Gi', '8Gi', '1000000000', '1.5Gi']) }),
  pods: random.pick(['2', '4', '110', '110', '110', '110', '110', '110']),
  ...random.maybe(0.6, () => ({ 'ephemeral-storage': random.pick(['1Gi', '10Gi']) })),
  ...random.maybe(0.3, () => ({ 'example.com/gpu': random.pick(['1', '2', '0']) })),
  ...random.maybe(0.1, () => ({ 'hugepages-2Mi': '64Mi' })),
});

const images = ['web:1', 'web', 'registry:5000/db', 'db:latest'];
const makeNodeImage = (random: Random): object => ({
  names: [random.pick(['web:1', 'web:latest', 'registry:5000/db:latest', 'db:latest']), `sha-${random.int(9)}`],
  sizeBytes: random.pick([10, 100, 600, 3000]) * 1024 * 1024 + random.int(1000),
});

function makePod(random: Random, theme: Theme, name: string): SchedulerPod {
  const owner = random.pick([
    ['v1', 'ReplicationController'],
    ['apps/v1', 'ReplicaSet'],
    ['apps/v1', 'StatefulSet'],
    ['batch/v1', 'Job'],
  ] as const);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: random.pick(namespaces.slice(0, 2)),
      uid: `uid-${name}`,
      ...random.maybe(0.85, () => ({ labels: makeLabels(random) })),
      ...(random.chance(theme.owners) && {
        ownerReferences: [
          { apiVersion: owner[0], kind: owner[1], name: random.pick(['web', 'db']), uid: 'owner', controller: !random.chance(0.1) },
        ],
      }),
    },
    spec: {
      containers: Array.from({ length: 1 + random.int(2) }, (_, i) => makeContainer(random, theme, `c${i}`)),
      ...random.maybe(0.25, () => ({
        initContainers: Array.from({ length: 1 + random.int(2) }, (_, i) => makeInitContainer(random, theme, `i${i}`)),
      })),
      ...random.maybe(theme.resources * 0.2, () => ({ resources: { requests: makeRequests(random) } })),
      ...random.maybe(theme.resources * 0.2, () => ({ overhead: { cpu: '10m', memory: '5Mi' } })),
      ...random.maybe(theme.tolerations, () => ({ tolerations: makeTolerations(random) })),
      ...random.maybe(theme.affinity * 0.5, () => ({ nodeSelector: random.chance(0.2) ? {} : { disk: random.pick(['ssd', 'hdd']) } })),
      ...makeAffinity(random, theme.affinity, theme.podAffinity),
      ...random.maybe(theme.spread, () => ({ topologySpreadConstraints: makeSpread(random) })),
      ...random.maybe(0.05, () => ({ preemptionPolicy: 'Never' })),
      ...random.maybe(0.03, () => ({ nodeName: random.pick(['n0', 'n1']) })),
      ...random.maybe(0.05, () => ({ volumes: [{ name: 'v', image: { reference: random.pick(images) } }] })),
    },
  } as unknown as SchedulerPod;
}

const makeContainer = (random: Random, theme: Theme, name: string): object => ({
  name,
  image: random.pick(images),
  ...random.maybe(theme.resources, () => ({ resources: { requests: makeRequests(random) } })),
  ...random.maybe(theme.ports, () => ({ ports: Array.from({ length: 1 + random.int(2) }, () => makePort(random)) })),
});

const makeInitContainer = (random: Random, theme: Theme, name: string): object => ({
  ...makeContainer(random, theme, name),
  ...random.maybe(0.5, () => ({ restartPolicy: 'Always' })),
});

const makePort = (random: Random): object => ({
  containerPort: 80,
  ...random.maybe(0.9, () => ({ hostPort: random.pick([80, 81]) })),
  ...random.maybe(0.3, () => ({ hostIP: random.pick(['0.0.0.0', '10.0.0.1', '10.0.0.2']) })),
  ...random.maybe(0.5, () => ({ protocol: random.pick(['TCP', 'UDP']) })),
});

const makeRequests = (random: Random): object => ({
  ...random.maybe(0.7, () => ({ cpu: random.pick(['1m', '100m', '250m', '0.0005', '1', '2', '0', '1e-1']) })),
  ...random.maybe(0.7, () => ({ memory: random.pick(['64Mi', '200Mi', '1Gi', '100M', '0.5', '0', '1500k']) })),
  ...random.maybe(0.1, () => ({ 'ephemeral-storage': random.pick(['1Gi', '600Mi']) })),
  ...random.maybe(0.1, () => ({ 'example.com/gpu': random.pick(['0', '1', '2']) })),
  ...random.maybe(0.04, () => ({ 'hugepages-2Mi': '32Mi' })),
});

/** A pod on one of the nodes, or rarely on a deleted node, possibly while it is resized or deleted. */
function placePod(random: Random, pod: SchedulerPod, nodes: readonly SchedulerNode[]): SchedulerPod {
  const node = nodes.length === 0 || random.chance(0.03) ? 'gone' : random.pick(nodes).metadata.name;
  const deletionTimestamp = random.chance(0.1) ? '2000-01-01T00:00:00Z' : undefined;
  const containerStatuses = (pod.spec?.containers ?? []).map(({ name }) => ({
    name,
    ...random.maybe(0.7, () => ({ resources: { requests: makeRequests(random) } })),
    ...random.maybe(0.5, () => ({ allocatedResources: makeRequests(random) })),
  }));
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(deletionTimestamp && { deletionTimestamp }) },
    spec: { ...pod.spec, nodeName: node },
    ...random.maybe(0.2, () => ({
      status: {
        containerStatuses,
        ...random.maybe(0.3, () => ({ resources: { requests: makeRequests(random) } })),
        ...random.maybe(0.3, () => ({
          conditions: [{ type: 'PodResizePending', status: 'True', reason: random.pick(['Infeasible', 'Deferred']) }],
        })),
      },
    })),
  } as SchedulerPod;
}
