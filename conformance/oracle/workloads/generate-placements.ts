import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import { makeAffinity, makeLabels, makeSpread, makeTolerations, taints, zones } from '../scheduler/generate-constraints.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import { formatTime, namespace, randomFailures } from './generate-world.ts';

/** Creates a cluster in which pods wait for nodes, and nodes and pods change. */
export function generatePlacements(random: Random, id: string): WorkloadCase {
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, uid: 'ns', labels: makeLabels(random) } },
    ...Array.from({ length: random.int(4) }, (_, i) => makeNode(random, i)),
    ...Array.from({ length: random.int(7) }, (_, i) => makePod(random, `p${i}`)),
  ] as unknown as ApiObject[];
  return { id, objects, gracefulPods: random.chance(0.5), steps: Array.from({ length: 3 + random.int(8) }, (_, i) => makeStep(random, i)) };
}

const makeNode = (random: Random, index: number): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${index}`, uid: `node-${index}`, creationTimestamp: formatTime(-1_000_000), labels: makeNodeLabels(random, index) },
    spec: { ...(random.chance(0.1) && { unschedulable: true }), ...random.maybe(0.2, () => ({ taints: [random.pick(taints)] })) },
    status: { allocatable: makeAllocatable(random) },
  }) as unknown as ApiObject;

const makeNodeLabels = (random: Random, index: number): Record<string, string> => ({
  'kubernetes.io/hostname': `n${index}`,
  ...random.maybe(0.8, () => ({ 'topology.kubernetes.io/zone': random.pick(zones) })),
  ...random.maybe(0.5, () => ({ disk: random.pick(['ssd', 'hdd']) })),
  ...random.maybe(0.3, () => ({ rack: 'r1' })),
});

const makeAllocatable = (random: Random): object => ({
  cpu: random.pick(['500m', '1', '2']),
  memory: random.pick(['512Mi', '2Gi']),
  pods: random.pick(['1', '2', '110', '110']),
});

const makePod = (random: Random, name: string): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: formatTime(-1000),
      labels: makeLabels(random),
    },
    spec: {
      schedulerName: 'default-scheduler',
      containers: [
        {
          name: 'c',
          image: 'i',
          ...random.maybe(0.7, () => ({ resources: { requests: { cpu: random.pick(['100m', '400m', '1']), memory: '100Mi' } } })),
          ...random.maybe(0.15, () => ({ ports: [{ containerPort: 80, hostPort: random.pick([80, 81]), protocol: 'TCP' }] })),
        },
      ],
      ...random.maybe(0.2, () => ({ nodeName: `n${random.int(4)}` })),
      ...random.maybe(0.1, () => ({ schedulingGates: [{ name: 'g' }] })),
      ...random.maybe(0.3, () => ({ tolerations: omitEmpty(makeTolerations(random)) })),
      ...random.maybe(0.2, () => ({ nodeSelector: { disk: 'ssd' } })),
      ...makeAffinity(random, 0.1, 0.25, false),
      ...random.maybe(0.2, () => ({ topologySpreadConstraints: makeSpread(random) })),
    },
    status: { phase: 'Pending' },
  }) as unknown as ApiObject;

/** Go does not encode an empty list. */
const omitEmpty = (list: readonly object[]): readonly object[] | null => (list.length > 0 ? list : null);

function makeStep(random: Random, index: number): WorkloadStep {
  return {
    changes: Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, (_, i) => makeChange(random, `s${index}${i}`)),
    failures: randomFailures(random, [
      ['create', 'Pod', 'binding'],
      ['patch', 'Pod', 'status'],
    ]),
    // Never at a whole second, at which back-offs end.
    advanceMs: random.pick([0, 0, 3, 503, 1003, 2503, 12_003, 31_003, 400_003]),
  };
}

function makeChange(random: Random, newName: string): WorkloadChange {
  const node = { kind: 'Node', nth: random.int(8) };
  const pod = { kind: 'Pod', nth: random.int(20) };
  const kind = random.int(14);
  if (kind < 2) return { put: makeNode(random, random.int(4)) };
  if (kind < 3) return { delete: node };
  if (kind < 4) return { merge: { ...node, patch: { spec: { unschedulable: random.chance(0.4) } } } };
  if (kind < 5) return { merge: { ...node, patch: { spec: { taints: random.chance(0.6) ? null : [random.pick(taints)] } } } };
  if (kind < 6) return { merge: { ...node, patch: { status: { allocatable: makeAllocatable(random) } } } };
  if (kind < 7)
    return {
      merge: { ...node, patch: { metadata: { labels: { disk: random.pick(['ssd', 'hdd', null]), rack: random.pick(['r1', null]) } } } },
    };
  if (kind < 9) return { put: makePod(random, newName) };
  if (kind < 11) return { delete: pod };
  if (kind < 12) return { merge: { ...pod, patch: { metadata: { labels: makeLabels(random) } } } };
  if (kind < 13) return { merge: { ...pod, patch: { spec: { tolerations: omitEmpty(makeTolerations(random)) } } } };
  return { merge: { ...pod, patch: { spec: { schedulingGates: null } } } };
}
