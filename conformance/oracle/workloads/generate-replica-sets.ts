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
  randomPod,
  randomPodChanges,
  readyPod,
} from './generate-world.ts';

/** A history of up to three ReplicaSets of one Deployment, of several, or of none. */
export function generateReplicaSets(random: Random, id: string): WorkloadCase {
  const replicaSets = ['web', 'web-2', 'other'].slice(0, random.pick([1, 1, 2, 3])).map((name) => randomReplicaSet(random, name));
  const owners = replicaSets.map(({ metadata }) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: metadata.name, uid: metadata.uid }));
  const pods = random.chance(0.3)
    ? readyPods(random, replicaSets, owners as OwnerOptions[])
    : Array.from({ length: random.pick([0, 0, 3, 6, 10]) }, (_, i) => {
        const owner = random.maybe(0.7, () => random.pick(owners) as OwnerOptions);
        return randomPod(random, { name: `p${i}`, labels: randomLabels(random), owner });
      });
  let now = 0;
  const steps = Array.from({ length: 2 + random.int(7) }, (_, i): WorkloadStep => {
    const advanceMs = randomDuration(random);
    const changes = i === 0 ? [] : [...randomPodChanges(random, now, () => randomLabels(random)), ...randomReplicaSetChanges(random, now)];
    now += advanceMs;
    return { changes, failures: randomFailures(random, writes), ...randomHold(random, ['Pod', 'ReplicaSet']), advanceMs };
  });
  return { id, objects: [...replicaSets, ...pods], gracefulPods: random.chance(0.5), steps };
}

/** Ten Pods of some ReplicaSets, of which a scale-down deletes some. */
const readyPods = (random: Random, replicaSets: readonly ApiObject[], owners: readonly OwnerOptions[]): ApiObject[] =>
  Array.from({ length: 10 }, (_, i) => {
    const index = random.int(replicaSets.length);
    const { spec } = replicaSets[index] as ApiObject;
    const { template } = spec as { template: { metadata: { labels: Record<string, string> } } };
    return readyPod(random, { name: `p${i}`, labels: template.metadata.labels, owner: owners[index] });
  });

const writes = [
  ['create', 'Pod'],
  ['create', 'Pod'],
  ['delete', 'Pod'],
  ['patch', 'Pod'],
  ['update', 'ReplicaSet', 'status'],
] as const;

const randomLabels = (random: Random): Record<string, string> => ({
  app: random.pick(['web', 'web', 'web', 'web', 'other']),
  ...random.maybe(0.5, () => ({ tier: random.pick(['a', 'b']) })),
});

function randomReplicaSet(random: Random, name: string): ApiObject {
  const labels = randomLabels(random);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace,
      uid: `rs-${name}`,
      generation: 1 + random.int(3),
      creationTimestamp: formatTime(-100_000),
      ...random.maybe(0.6, () => ({
        ownerReferences: [ownerReference({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: random.pick(['d1', 'd1', 'd2']) })],
      })),
      ...random.maybe(0.05, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      replicas: randomReplicas(random),
      ...random.maybe(0.4, () => ({ minReadySeconds: random.pick([1, 3, 10]) })),
      selector: randomSelector(random, labels),
      template: {
        metadata: {
          labels,
          ...random.maybe(0.1, () => ({ annotations: { a: 'b' } })),
          ...random.maybe(0.05, () => ({ finalizers: ['example.com/f'] })),
        },
        spec: { containers: [{ name: 'c', image: random.pick(['i', 'j']) }] },
      },
    },
    status: random.maybe(0.3, () => ({
      replicas: random.int(4),
      observedGeneration: 1,
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', lastTransitionTime: formatTime(-50_000) }],
    })) ?? { replicas: 0 },
  };
}

const randomReplicas = (random: Random): number => random.pick([0, 1, 2, 3, 3, 5, 7]);

/** A selector that matches the template, as the API server requires: otherwise the controller creates and releases Pods forever. */
const randomSelector = (random: Random, labels: Record<string, string>): object =>
  random.pick<object>([
    { matchLabels: labels },
    { matchLabels: { app: labels['app'] } },
    { matchExpressions: [{ key: 'app', operator: 'In', values: [labels['app'], 'x'] }] },
    { matchLabels: { app: labels['app'] }, matchExpressions: [{ key: 'tier', operator: labels['tier'] ? 'Exists' : 'DoesNotExist' }] },
  ]);

/** What users and the Deployment controller do with ReplicaSets. */
function randomReplicaSetChanges(random: Random, now: number): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 0, 1, 2]) }, (): WorkloadChange => {
    const target = { kind: 'ReplicaSet', nth: random.int(6) };
    const kind = random.int(20);
    const merge = (patch: object): WorkloadChange => ({ merge: { ...target, patch } });
    if (kind < 12) return merge({ spec: { replicas: randomReplicas(random) } });
    if (kind < 14) return merge({ spec: { minReadySeconds: random.pick([null, 2, 5]) } });
    if (kind < 15) return merge({ spec: { template: { metadata: { labels: { extra: random.pick(['x', 'y', null]) } } } } });
    if (kind < 16) return merge({ metadata: { deletionTimestamp: formatTime(now), finalizers: ['foregroundDeletion'] } });
    if (kind < 17) return merge({ metadata: { uid: `new-${random.int(100)}` } });
    if (kind < 18) return merge({ metadata: { ownerReferences: null } });
    if (kind < 19) return { delete: target };
    return { put: randomReplicaSet(random, random.pick(['web', 'late'])) };
  });
}
