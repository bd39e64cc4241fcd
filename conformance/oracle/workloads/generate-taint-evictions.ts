import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import { formatTime, namespace, randomFailures, randomHold } from './generate-world.ts';

/** Creates nodes whose taints change, and pods that tolerate them for some time. */
export function generateTaintEvictions(random: Random, id: string): WorkloadCase {
  const nodes = Array.from({ length: 1 + random.int(4) }, (_, i) => makeNode(random, i));
  const pods = Array.from({ length: random.int(10) }, (_, i) => makePod(random, i, 0));
  return {
    id,
    objects: [...nodes, ...pods],
    gracefulPods: random.chance(0.5),
    steps: Array.from({ length: 3 + random.int(7) }, () => makeStep(random)),
  };
}

const effects = ['NoExecute', 'NoExecute', 'NoExecute', 'NoSchedule'];

const makeTaints = (random: Random): object[] =>
  Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => ({
    key: random.pick(['unreachable', 'not-ready', 'x']),
    ...random.maybe(0.3, () => ({ value: 'v' })),
    effect: random.pick(effects),
    ...random.maybe(0.4, () => ({ timeAdded: formatTime(-1000 * random.int(100)) })),
  }));

const makeNode = (random: Random, index: number): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${index}`, uid: `node-${index}`, creationTimestamp: formatTime(-1_000_000) },
    spec: { taints: makeTaints(random) },
  }) as unknown as ApiObject;

const makeTolerations = (random: Random): object[] =>
  Array.from({ length: random.pick([0, 1, 2, 2, 3]) }, () => ({
    ...random.maybe(0.8, () => ({ key: random.pick(['unreachable', 'not-ready', 'x']) })),
    operator: random.pick(['Exists', 'Exists', 'Equal']),
    ...random.maybe(0.2, () => ({ value: 'v' })),
    ...random.maybe(0.7, () => ({ effect: random.pick(effects) })),
    ...random.maybe(0.7, () => ({ tolerationSeconds: random.pick([0, -1, 1, 2, 5, 30, 300]) })),
  }));

const makePod = (random: Random, index: number, now: number): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `p${index}`,
      namespace,
      uid: `pod-${index}-${now}`,
      creationTimestamp: formatTime(now - 10_000),
      ...random.maybe(0.7, () => ({ generation: 1 + random.int(3) })),
    },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      ...random.maybe(0.9, () => ({ nodeName: `n${random.int(4)}` })),
      tolerations: makeTolerations(random),
    },
    status: { phase: 'Running', ...random.maybe(0.6, () => ({ conditions: makeConditions(random) })) },
  }) as unknown as ApiObject;

const makeConditions = (random: Random): object[] => [
  { type: 'Ready', status: random.pick(['True', 'False']), lastTransitionTime: formatTime(-5000) },
  ...(random.chance(0.4)
    ? [
        {
          type: 'DisruptionTarget',
          status: random.pick(['True', 'False']),
          ...random.maybe(0.6, () => ({ reason: random.pick(['DeletionByTaintManager', 'EvictionByEvictionAPI']) })),
          ...random.maybe(0.6, () => ({ message: random.pick(['Taint manager: deleting due to NoExecute taint', 'm']) })),
          ...random.maybe(0.3, () => ({ observedGeneration: 1 + random.int(3) })),
          ...random.maybe(0.8, () => ({ lastTransitionTime: formatTime(-4000) })),
        },
      ]
    : []),
];

function makeStep(random: Random): WorkloadStep {
  return {
    changes: Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => makeChange(random)),
    failures: randomFailures(random, [
      ['patch', 'Pod', 'status'],
      ['delete', 'Pod'],
    ]),
    ...randomHold(random, ['Pod', 'Node']),
    // Not a multiple of the delays of evictions and retries: the order of a timer and the end of a step would be undefined.
    advanceMs: random.pick([0, 0, 3, 37, 1003, 2503, 5003, 30_003, 301_003]),
  };
}

function makeChange(random: Random): WorkloadChange {
  const pod = { kind: 'Pod', nth: random.int(20) };
  const kind = random.int(12);
  if (kind < 6) return { merge: { kind: 'Node', nth: random.int(8), patch: { spec: { taints: makeTaints(random) } } } };
  if (kind < 8) return { merge: { ...pod, patch: { spec: { tolerations: makeTolerations(random) } } } };
  if (kind < 9) return { delete: pod };
  if (kind < 10) return { put: makePod(random, random.int(12), random.int(5)) };
  if (kind < 11) return { merge: { ...pod, patch: { metadata: { labels: { a: String(random.int(3)) } } } } };
  return random.chance(0.5) ? { put: makeNode(random, random.int(4)) } : { delete: { kind: 'Node', nth: random.int(4) } };
}
