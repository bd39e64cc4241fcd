import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import {
  formatTime,
  namespace,
  type OwnerOptions,
  ownerReference,
  randomDuration,
  randomFailures,
  randomHold,
  randomPodChanges,
  randomStatus,
} from './generate-world.ts';

type Fields = Record<string, unknown>;

/** A history of budgets, of the controllers of their pods, and of evictions. */
export function generateDisruptions(random: Random, id: string): WorkloadCase {
  const budgets = ['a', 'b'].slice(0, random.pick([1, 1, 1, 2])).map((name) => randomBudget(random, name));
  const pods = Array.from({ length: random.pick([0, 1, 3, 6]) }, (_, i) => randomPod(random, `p${i}`));
  let now = 0;
  const steps = Array.from({ length: 2 + random.int(8) }, (_, i): WorkloadStep => {
    const advanceMs = random.chance(0.5) ? randomDuration(random) : random.pick([60_000, 119_000, 121_000, 240_000]);
    const changes = i === 0 ? [] : [...randomChanges(random, now), ...randomPodChanges(random, now, () => randomLabels(random))];
    now += advanceMs;
    return { changes, failures: randomFailures(random, writes), ...randomHold(random, watched), advanceMs };
  });
  return { id, objects: [...budgets, ...randomControllers(random), ...pods], gracefulPods: random.chance(0.5), steps };
}

const writes = [
  ['update', 'PodDisruptionBudget', 'status'],
  ['update', 'PodDisruptionBudget', 'status'],
  ['update', 'Pod', 'status'],
] as const;

const watched = ['Pod', 'PodDisruptionBudget', 'ReplicaSet', 'StatefulSet'];

const randomLabels = (random: Random): Record<string, string> => ({
  app: random.pick(['web', 'web', 'web', 'other']),
  ...random.maybe(0.3, () => ({ tier: random.pick(['a', 'b']) })),
});

function randomBudget(random: Random, name: string): ApiObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, uid: `pdb-${name}`, generation: 1 + random.int(3), creationTimestamp: formatTime(-100_000) },
    spec: { ...randomLimit(random), ...randomSelector(random) },
    status: random.maybe(0.5, () => ({
      observedGeneration: 1 + random.int(3),
      disruptionsAllowed: random.int(3),
      currentHealthy: random.int(4),
      desiredHealthy: random.int(4),
      expectedPods: random.int(5),
      ...random.maybe(0.7, () => ({ disruptedPods: randomDisruptedPods(random, 0) })),
      ...random.maybe(0.8, () => ({ conditions: [randomCondition(random), { ...randomCondition(random), type: 'Other' }] })),
    })) ?? { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  };
}

const randomCondition = (random: Random): Fields => ({
  type: 'DisruptionAllowed',
  status: random.pick(['True', 'False']),
  reason: random.pick(['SufficientPods', 'InsufficientPods', 'SyncFailed']),
  message: random.pick(['', 'm']),
  lastTransitionTime: formatTime(-50_000),
  ...random.maybe(0.5, () => ({ observedGeneration: 1 })),
});

const randomDisruptedPods = (random: Random, now: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 1 + random.int(3) }, () => [
      random.pick(['p0', 'p1', 'p2', 'p9']),
      // Rarely the same for two budgets: upstream has a queue of its own for overdue evictions, so that its order of equal times differs.
      formatTime(now - random.pick([0, 1, 60, 119, 120, random.int(200), random.int(200), random.int(200)]) * 1000),
    ]),
  );

const randomLimit = (random: Random): Fields =>
  random.pick<Fields>([
    { minAvailable: random.int(4) },
    { minAvailable: random.pick(['0%', '33%', '50%', '100%']) },
    { maxUnavailable: random.int(3) },
    { maxUnavailable: random.pick(['0%', '33%', '50%', '100%']) },
    { maxUnavailable: 1 },
    {},
  ]);

const randomSelector = (random: Random): Fields =>
  random.pick<Fields>([
    { selector: { matchLabels: { app: 'web' } } },
    { selector: { matchLabels: { app: 'web' } } },
    { selector: { matchLabels: { tier: 'a', app: 'web' } } },
    { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'other'] }] } },
    { selector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } },
    { selector: {} },
    {},
  ]);

/** The owners that pods refer to; some of them do not exist. */
const owners: readonly OwnerOptions[] = [
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs-1' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs-1' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-2', uid: 'rs-2' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'ss' },
  { apiVersion: 'v1', kind: 'ReplicationController', name: 'rc', uid: 'rc' },
];
const rareOwners: readonly OwnerOptions[] = [
  { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'other' },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'ds', uid: 'ds' },
  { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job' },
  { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n1' },
  { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd-web' },
  { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs-1' },
  { apiVersion: 'example.com/v1', kind: 'Rollout', name: 'x', uid: 'x' },
];

function randomControllers(random: Random): ApiObject[] {
  const create = (owner: OwnerOptions, parent?: OwnerOptions): ApiObject => ({
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    metadata: {
      name: owner.name,
      namespace,
      uid: owner.uid,
      generation: 1,
      creationTimestamp: formatTime(-100_000),
      ...(parent && { ownerReferences: [ownerReference(parent)] }),
    },
    spec: {
      replicas: random.int(6),
      selector: owner.kind === 'ReplicationController' ? { app: 'web' } : { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...(owner.kind === 'StatefulSet' && { serviceName: '' }),
    },
  });
  const deployment: OwnerOptions = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd-web' };
  const parent = random.pick([deployment, deployment, { ...deployment, uid: 'gone' }, { ...deployment, apiVersion: 'x/v1' }, undefined]);
  const [first, , second, statefulSet, replicationController] = owners as [
    OwnerOptions,
    OwnerOptions,
    OwnerOptions,
    OwnerOptions,
    OwnerOptions,
  ];
  return [
    create(deployment),
    create(first, parent),
    create(second, random.pick([parent, undefined])),
    create(statefulSet),
    create(replicationController),
  ].filter(() => random.chance(0.9));
}

function randomPod(random: Random, name: string): ApiObject {
  const owner = random.chance(0.85) ? random.pick(owners) : random.pick([...rareOwners, undefined]);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `pod-${name}`,
      generation: 1,
      creationTimestamp: formatTime(-80_000),
      labels: randomLabels(random),
      ...(owner && { ownerReferences: [ownerReference(owner)] }),
      ...random.maybe(0.08, () => ({ deletionTimestamp: formatTime(20_000), deletionGracePeriodSeconds: 30 })),
    },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    status: random.chance(0.3) ? randomDisruptedStatus(random, 0) : randomStatus(random, 0),
  };
}

/** A pod that should have been deleted. */
const randomDisruptedStatus = (random: Random, now: number): Fields => ({
  phase: random.pick(['Running', 'Running', 'Pending', 'Failed']),
  conditions: [
    { type: 'Ready', status: random.pick(['True', 'False']), lastTransitionTime: formatTime(now - 1000) },
    {
      type: 'DisruptionTarget',
      status: random.pick(['True', 'True', 'True', 'False']),
      ...random.maybe(0.7, () => ({ reason: random.pick(['EvictionByEvictionAPI', 'TerminationByKubelet']), message: 'm' })),
      ...random.maybe(0.9, () => ({ lastTransitionTime: formatTime(now - random.pick([0, 1000, 60_000, 119_000, 130_000])) })),
    },
  ],
});

/** What users, evictions and the controllers of the pods do. */
function randomChanges(random: Random, now: number): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 1, 2, 3]) }, (): WorkloadChange => {
    const target = { kind: 'PodDisruptionBudget', nth: random.int(2) };
    const kind = random.int(20);
    const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
    if (kind < 6) return merge({ status: { disruptedPods: randomDisruptedPods(random, now), disruptionsAllowed: random.int(3) } });
    if (kind < 9) return { merge: { kind: 'Pod', nth: random.int(9), patch: { status: randomDisruptedStatus(random, now) } } };
    if (kind < 11) return merge({ spec: { minAvailable: null, maxUnavailable: null, ...randomLimit(random) } });
    if (kind < 12) return merge({ spec: { selector: null, ...randomSelector(random) } });
    if (kind < 13) return { delete: target };
    if (kind < 14) return { put: randomBudget(random, random.pick(['a', 'c'])) };
    if (kind < 16) return { put: randomPod(random, random.pick(['p0', 'p7', 'p8'])) };
    const owner = random.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet', 'Deployment', 'ReplicationController']);
    if (kind < 17) return { delete: { kind: owner, nth: random.int(2) } };
    return { merge: { kind: owner, nth: random.int(2), patch: { spec: { replicas: random.int(6) } } } };
  });
}
