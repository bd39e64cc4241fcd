import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import { randomTemplate } from './generate-template.ts';
import {
  formatTime,
  namespace,
  type OwnerOptions,
  ownerReference,
  randomDuration,
  randomFailures,
  randomHold,
  randomPod,
} from './generate-world.ts';

/** A history of one or two Deployments, with ReplicaSets of earlier rollouts. */
export function generateDeployments(random: Random, id: string): WorkloadCase {
  const deployments = ['web', 'api'].slice(0, random.pick([1, 1, 2])).map((name) => randomDeployment(random, name));
  const replicaSets = deployments.flatMap((deployment) =>
    Array.from({ length: random.pick([0, 0, 1, 2, 3, 5]) }, (_, i) => randomReplicaSet(random, deployment, i)),
  );
  const pods = replicaSets
    .slice(0, random.pick([0, 0, 2]))
    .map((owner, i) => randomPod(random, { name: `p${i}`, labels: { app: 'web' }, owner: random.maybe(0.9, () => ownerOf(owner)) }));
  let now = 0;
  const steps = Array.from({ length: 2 + random.int(9) }, (_, i): WorkloadStep => {
    const advanceMs = random.chance(0.3) ? random.pick([10_000, 60_000, 600_000]) : randomDuration(random);
    const changes = i === 0 ? [] : randomChanges(random, now, deployments);
    now += advanceMs;
    return { changes, failures: randomFailures(random, writes), ...randomHold(random, ['Deployment', 'ReplicaSet', 'Pod']), advanceMs };
  });
  return { id, objects: [...deployments, ...replicaSets, ...pods], gracefulPods: true, steps };
}

const writes = [
  ['create', 'ReplicaSet'],
  ['update', 'ReplicaSet'],
  ['patch', 'ReplicaSet'],
  ['delete', 'ReplicaSet'],
  ['update', 'Deployment'],
  ['update', 'Deployment', 'status'],
] as const;

const ownerOf = ({ apiVersion = 'apps/v1', kind = '', metadata: { name = '', uid = '' } }: ApiObject): OwnerOptions => ({
  apiVersion,
  kind,
  name,
  uid,
});

const prefix = 'deployment.kubernetes.io/';
const randomReplicas = (random: Random): number => random.pick([0, 1, 2, 3, 3, 4, 5, 10, 10]);
const randomLimit = (random: Random): number | string => random.pick([0, 1, 1, 2, 3, '25%', '25%', '50%', '1%', '100%', '0%']);

const randomStrategy = (random: Random): object =>
  random.chance(0.2)
    ? { type: 'Recreate', rollingUpdate: null }
    : { type: 'RollingUpdate', rollingUpdate: { maxSurge: randomLimit(random), maxUnavailable: randomLimit(random) } };

function randomDeployment(random: Random, name: string): ApiObject {
  const strategy = randomStrategy(random);
  const { rollingUpdate: _, ...recreate } = strategy as Record<string, unknown>;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      uid: `d-${name}`,
      generation: 1 + random.int(3),
      creationTimestamp: formatTime(-100_000),
      ...random.maybe(0.5, () => ({ annotations: randomAnnotations(random) })),
      ...random.maybe(0.03, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      replicas: randomReplicas(random),
      ...random.maybe(0.3, () => ({ minReadySeconds: random.pick([1, 5]) })),
      ...random.maybe(0.1, () => ({ paused: true })),
      ...random.maybe(0.8, () => ({ progressDeadlineSeconds: random.pick([10, 60, 600, 600, 2 ** 31 - 1]) })),
      ...random.maybe(0.8, () => ({ revisionHistoryLimit: random.pick([0, 1, 2, 10, 2 ** 31 - 1]) })),
      selector: random.maybe(0.02, () => ({})) ?? { matchLabels: { app: 'web' } },
      strategy: (strategy as { type: string }).type === 'Recreate' ? recreate : strategy,
      template: randomTemplate(random),
    },
    ...random.maybe(0.3, () => ({
      status: {
        observedGeneration: 1,
        replicas: 3,
        ...random.maybe(0.2, () => ({ collisionCount: random.pick([0, 1, 300]) })),
        ...random.maybe(0.7, () => ({ conditions: [randomCondition(random)] })),
      },
    })),
  };
}

const randomCondition = (random: Random): object => ({
  type: 'Progressing',
  status: random.pick(['True', 'False', 'Unknown']),
  reason: random.pick([
    'NewReplicaSetAvailable',
    'ReplicaSetUpdated',
    'ProgressDeadlineExceeded',
    'DeploymentPaused',
    'NewReplicaSetCreated',
  ]),
  message: 'm',
  lastUpdateTime: formatTime(-random.pick([1, 30, 1000]) * 1000),
  lastTransitionTime: formatTime(-2_000_000),
});

const randomAnnotations = (random: Random): Record<string, string> => ({
  ...random.maybe(0.4, () => ({ 'kubernetes.io/change-cause': random.pick(['a', 'b']) })),
  ...random.maybe(0.3, () => ({ [`${prefix}revision`]: random.pick(['1', '3']) })),
  ...random.maybe(0.1, () => ({ 'deprecated.deployment.rollback.to': random.pick(['0', '1', '2', '9', 'x']) })),
});

/** A ReplicaSet of the Deployment, or one that it may adopt. */
function randomReplicaSet(random: Random, deployment: ApiObject, i: number): ApiObject {
  const { template } = deployment['spec'] as { template: object };
  const own = random.chance(0.4) ? template : randomTemplate(random);
  const hash = `h${i}`;
  const withHash = (metadata: object): object => ({ ...metadata, labels: { app: 'web', 'pod-template-hash': hash } });
  const replicas = random.pick([0, 0, 1, 2, 3, 5]);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace,
      uid: `rs-${deployment.metadata.name}-${i}`,
      generation: 1 + random.int(2),
      creationTimestamp: formatTime(-random.pick([10, 20, 20, 30]) * 1000),
      labels: { app: random.chance(0.95) ? 'web' : 'other', 'pod-template-hash': hash },
      ...random.maybe(0.9, () => ({
        annotations: {
          ...random.maybe(0.9, () => ({ [`${prefix}revision`]: random.pick(['1', '2', '3', '4', 'x', '']) })),
          ...random.maybe(0.2, () => ({ [`${prefix}revision-history`]: random.pick(['1', '1,2', '']) })),
          ...random.maybe(0.8, () => ({ [`${prefix}desired-replicas`]: String(randomReplicas(random)) })),
          ...random.maybe(0.8, () => ({ [`${prefix}max-replicas`]: random.pick(['3', '4', '13', '0', 'x']) })),
          ...random.maybe(0.3, () => ({ 'kubernetes.io/change-cause': random.pick(['a', 'c']) })),
        },
      })),
      ...random.maybe(0.9, () => ({ ownerReferences: [ownerReference(ownerOf(deployment))] })),
      ...random.maybe(0.03, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      replicas,
      ...random.maybe(0.2, () => ({ minReadySeconds: 1 })),
      selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
      template: { ...own, metadata: withHash((own as { metadata: object }).metadata) },
    },
    status: {
      replicas: random.pick([replicas, replicas, 0, 1]),
      ...random.maybe(0.7, () => ({ readyReplicas: Math.max(replicas, 1), availableReplicas: random.pick([Math.max(replicas, 1), 1]) })),
      observedGeneration: random.pick([1, 2]),
      ...random.maybe(0.7, () => ({ terminatingReplicas: random.pick([0, 1]) })),
      ...random.maybe(0.1, () => ({
        conditions: [
          { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota', lastTransitionTime: formatTime(-5000) },
        ],
      })),
    },
  };
}

/** What users and other controllers do. */
function randomChanges(random: Random, now: number, deployments: readonly ApiObject[]): WorkloadChange[] {
  const settled = random.chance(0.8)
    ? Array.from({ length: random.pick([4, 8]) }, (_, nth): WorkloadChange => {
        const unready = random.pick([0, 0, 0, 1, 5]);
        return { settle: { nth, unready, unavailable: unready + random.pick([0, 0, 1]), terminating: random.pick([0, 0, 1]) } };
      })
    : [];
  const others = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => randomChange(random, now, deployments));
  return random.chance(0.5) ? [...settled, ...others] : [...others, ...settled];
}

function randomChange(random: Random, now: number, deployments: readonly ApiObject[]): WorkloadChange {
  const target = { kind: 'Deployment', nth: random.int(2) };
  const merge = (patch: object): WorkloadChange => ({ merge: { ...target, patch } });
  const replicaSet = { kind: 'ReplicaSet', nth: random.int(8) };
  const kind = random.int(24);
  if (kind < 5) return merge({ spec: { replicas: randomReplicas(random) } });
  if (kind < 10) return merge({ spec: { template: { spec: { containers: [{ name: 'c', image: random.pick(['a', 'b', 'd', 'e']) }] } } } });
  if (kind < 12) return merge({ spec: { paused: random.pick([true, null]) } });
  if (kind < 13) return merge({ spec: { strategy: randomStrategy(random) } });
  if (kind < 14) return merge({ spec: { minReadySeconds: random.pick([null, 2]), revisionHistoryLimit: random.pick([0, 1]) } });
  if (kind < 16) return merge({ metadata: { annotations: randomAnnotations(random) } });
  if (kind < 17) return merge({ spec: { progressDeadlineSeconds: random.pick([null, 5, 100]) } });
  if (kind < 18) return merge({ metadata: { deletionTimestamp: formatTime(now), finalizers: ['foregroundDeletion'] } });
  if (kind < 19) return { delete: target };
  if (kind < 20) return { delete: replicaSet };
  if (kind < 21) return { merge: { ...replicaSet, patch: { metadata: { ownerReferences: null } } } };
  if (kind < 22) return { merge: { ...replicaSet, patch: { metadata: { labels: { app: random.pick(['web', 'other']) } } } } };
  if (kind < 23) return { delete: { kind: 'Pod', nth: random.int(4) } };
  return { put: randomReplicaSet(random, random.pick(deployments), 7) };
}
