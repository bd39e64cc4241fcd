import type { ApiObject } from 'kube-endpoints/port';
import { createRevisionObject } from '../../../packages/simulator/src/workloads/history/revision.ts';
import { printTemplate } from '../../../packages/simulator/src/workloads/history/template.ts';
import type { Random } from '../random.ts';
import type { WorkloadCase, WorkloadChange, WorkloadStep } from './case.ts';
import { randomClaim, randomClaimChange } from './generate-stateful-claims.ts';
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

/** A history of one or two StatefulSets, often with pods that become ready as a kubelet would make them. */
export function generateStatefulSets(random: Random, id: string): WorkloadCase {
  const sets = ['web', 'web-db'].slice(0, random.pick([1, 1, 1, 2])).map((name) => randomStatefulSet(random, name));
  const objects = sets.flatMap((set) => (random.chance(0.6) ? randomHistory(random, set) : [set]));
  const isCalm = random.chance(0.7);
  let now = 0;
  const steps = Array.from({ length: 3 + random.int(isCalm ? 14 : 7) }, (_, i): WorkloadStep => {
    const advanceMs = isCalm ? random.pick([0, 100, 1000, 1000, 3000, 11_000]) : randomDuration(random);
    const changes = i === 0 ? [] : [...randomSetChanges(random, now), ...podChanges(random, now, isCalm)];
    now += advanceMs;
    const failures = isCalm && random.chance(0.8) ? [] : randomFailures(random, writes);
    return { changes, failures, ...randomHold(random, watched), advanceMs };
  });
  return { id, objects, gracefulPods: random.chance(0.5), steps };
}

const watched = ['Pod', 'StatefulSet', 'PersistentVolumeClaim', 'ControllerRevision'];

const writes = [
  ['create', 'Pod'],
  ['delete', 'Pod'],
  ['update', 'Pod'],
  ['patch', 'Pod'],
  ['update', 'StatefulSet', 'status'],
  ['create', 'PersistentVolumeClaim'],
  ['update', 'PersistentVolumeClaim'],
  ['create', 'ControllerRevision'],
  ['update', 'ControllerRevision'],
  ['delete', 'ControllerRevision'],
  ['patch', 'ControllerRevision'],
] as const;

/** @param generation changes whenever the template does, as the controller relies on it */
function randomStatefulSet(random: Random, name: string, generation: number = 1 + random.int(3)): ApiObject {
  const templateNames = random.pick([[], [], ['data'], ['data'], ['data', 'logs']]);
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name,
      namespace,
      uid: `set-${name}`,
      generation,
      creationTimestamp: formatTime(-100_000),
      ...random.maybe(0.2, () => ({ annotations: { a: random.pick(['<b>', 'c']) } })),
      ...random.maybe(0.04, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      replicas: randomReplicas(random),
      selector: random.pick<Fields>([
        { matchLabels: { app: name } },
        { matchExpressions: [{ key: 'app', operator: 'In', values: [name] }] },
      ]),
      template: randomTemplate(random, name),
      ...(templateNames.length > 0 && {
        volumeClaimTemplates: templateNames.map((each) => randomClaim(random, { name: each })),
      }),
      serviceName: random.pick([name, name, name, '']),
      podManagementPolicy: random.pick(['OrderedReady', 'OrderedReady', 'Parallel']),
      updateStrategy: randomStrategy(random),
      revisionHistoryLimit: random.pick([0, 1, 2, 10]),
      ...random.maybe(0.35, () => ({ minReadySeconds: random.pick([1, 5, 10]) })),
      ...random.maybe(0.7, () => ({ persistentVolumeClaimRetentionPolicy: randomRetention(random) })),
      ...random.maybe(0.3, () => ({ ordinals: { start: random.pick([0, 1, 3]) } })),
    },
    status: { replicas: 0, availableReplicas: 0 },
  };
}

const randomReplicas = (random: Random): number => random.pick([0, 1, 2, 3, 3, 4, 6]);

const randomRetention = (random: Random): Fields => ({
  whenDeleted: random.pick(['Retain', 'Delete']),
  whenScaled: random.pick(['Retain', 'Delete']),
});

const randomStrategy = (random: Random): Fields =>
  random.pick<Fields>([
    { type: 'RollingUpdate', rollingUpdate: { partition: random.pick([0, 0, 0, 1, 2, 5]) } },
    { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    { type: 'RollingUpdate' },
    { type: 'OnDelete' },
  ]);

function randomTemplate(random: Random, name: string): { metadata: Fields; spec: Fields } {
  return {
    metadata: {
      labels: { app: name, ...random.maybe(0.3, () => ({ tier: random.pick(['a', 'b']), '10': 'x', '9': 'y' })) },
      ...random.maybe(0.2, () => ({ annotations: { text: random.pick(['a & b', '<x>', 'ü\u2028', 'b\tc']) } })),
    },
    spec: {
      containers: [randomContainer(random)],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      ...random.maybe(0.3, () => ({
        volumes: random.pick([[{ name: 'tmp', emptyDir: {} }], [{ name: 'data', emptyDir: {} }], [randomEphemeralVolume()]]),
      })),
    },
  };
}

const randomContainer = (random: Random): Fields => ({
  name: 'c',
  image: random.pick(['i', 'j']),
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  ...random.maybe(0.3, () => ({ resources: { requests: { cpu: '100m' } } })),
});

const randomEphemeralVolume = (): Fields => ({
  name: 'scratch',
  ephemeral: {
    volumeClaimTemplate: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
    },
  },
});

interface Template {
  metadata: { labels: Record<string, string> };
  spec: Fields;
}

/** A StatefulSet that has run before: with revisions, pods and claims. */
function randomHistory(random: Random, set: ApiObject): ApiObject[] {
  const spec = set['spec'] as { template: Template; replicas: number; ordinals?: { start: number }; volumeClaimTemplates?: ApiObject[] };
  const templates = [
    spec.template,
    ...(random.chance(0.5) ? [randomTemplate(random, set.metadata.name as string) as Template] : []),
  ].reverse();
  const revisions = templates.map((template, i) => randomRevision(random, set, template, i + 1));
  const names = revisions.map(({ metadata }) => metadata.name as string);
  const status = {
    observedGeneration: set.metadata.generation as number,
    replicas: random.int(4),
    currentReplicas: random.int(4),
    currentRevision: names[0] as string,
    updateRevision: names.at(-1) as string,
    collisionCount: 0,
    availableReplicas: random.int(3),
  };
  const start = spec.ordinals?.start ?? 0;
  const pods = Array.from({ length: spec.replicas + random.int(3) }, (_, i) =>
    random.maybe(0.85, () => randomPod(random, set, start + i + random.pick([0, 0, 0, 0, -1]), random.pick(names))),
  ).filter((pod) => pod !== undefined);
  const claims = (spec.volumeClaimTemplates ?? []).flatMap((template) =>
    pods.flatMap(
      (pod) => random.maybe(0.7, () => randomClaim(random, { name: `${template.metadata.name}-${pod.metadata.name}`, set, pod })) ?? [],
    ),
  );
  return [{ ...set, status }, ...uniqueByName(revisions), ...uniqueByName(pods), ...uniqueByName(claims)];
}

const uniqueByName = (objects: readonly ApiObject[]): ApiObject[] => [
  ...new Map(objects.map((each) => [each.metadata.name, each])).values(),
];

const ownerOf = ({ metadata: { name = '', uid = '' } }: ApiObject): OwnerOptions => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  name,
  uid,
});

function randomRevision(random: Random, set: ApiObject, template: Template, revision: number): ApiObject {
  const data = { spec: { template: { ...printTemplate(template), $patch: 'replace' } } };
  const created = createRevisionObject(set, ownerOf(set), { labels: template.metadata.labels, data, revision, collisionCount: 0 });
  const { ownerReferences: _, ...metadata } = created.metadata;
  const isOld = random.chance(0.15);
  return {
    ...created,
    // Releases before 1.34 printed an empty time of creation.
    data: isOld ? { spec: { template: { ...data.spec.template, metadata: { creationTimestamp: null, ...template.metadata } } } } : data,
    metadata: {
      ...metadata,
      uid: `rev-${created.metadata.name}`,
      generation: 1,
      creationTimestamp: formatTime(-90_000),
      ...(random.chance(0.9) && { ownerReferences: [ownerReference(ownerOf(set))] }),
    },
  };
}

function randomPod(random: Random, set: ApiObject, ordinal: number, revision: string): ApiObject {
  const { template, serviceName } = set['spec'] as { template: Template; serviceName?: string };
  const name = `${set.metadata.name}-${Math.max(ordinal, 0)}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `pod-${name}`,
      generation: 1,
      creationTimestamp: formatTime(-80_000),
      labels: {
        ...template.metadata.labels,
        'controller-revision-hash': revision,
        'apps.kubernetes.io/pod-index': String(ordinal),
        ...(random.chance(0.9) && { 'statefulset.kubernetes.io/pod-name': name }),
      },
      ...(random.chance(0.9) && { ownerReferences: [ownerReference(ownerOf(set))] }),
      ...random.maybe(0.08, () => ({ deletionTimestamp: formatTime(20_000), deletionGracePeriodSeconds: 30 })),
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName && { subdomain: serviceName }),
      ...random.maybe(0.7, () => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-${name}` } }] })),
    },
    status: randomPodStatus(random, 0),
  };
}

const readyStatus = (random: Random, now: number): Fields => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - random.pick([0, 0, 2, 20]) * 1000) }],
});

const randomPodStatus = (random: Random, now: number): Fields =>
  random.chance(0.7) ? readyStatus(random, now) : randomStatus(random, now);

/** The kubelet makes most pods ready and removes those that are deleted; or pods change at random. */
function podChanges(random: Random, now: number, isCalm: boolean): WorkloadChange[] {
  if (!isCalm) return randomPodChanges(random, now, () => ({ app: random.pick(['web', 'web', 'other']) }));
  return Array.from({ length: random.pick([1, 3, 6, 8]) }, (_, nth): WorkloadChange[] => {
    const target = { kind: 'Pod', nth };
    if (random.chance(0.06)) return [{ delete: target }];
    if (random.chance(0.03)) return [{ merge: { ...target, patch: { metadata: { ownerReferences: null } } } }];
    return random.chance(0.85) ? [{ merge: { ...target, patch: { status: randomPodStatus(random, now) } } }] : [];
  }).flat();
}

/** What users do with StatefulSets, their claims and their revisions. */
function randomSetChanges(random: Random, now: number): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, (): WorkloadChange => {
    const target = { kind: 'StatefulSet', nth: random.int(2) };
    const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
    const kind = random.int(30);
    if (kind < 6) return merge({ spec: { replicas: randomReplicas(random) } });
    if (kind < 12) return merge({ spec: { template: { spec: { containers: [randomContainer(random)] } } } });
    if (kind < 15) return merge({ spec: { updateStrategy: { rollingUpdate: null, ...randomStrategy(random) } } });
    if (kind < 17) return merge({ spec: { persistentVolumeClaimRetentionPolicy: randomRetention(random) } });
    if (kind < 18) return merge({ spec: { minReadySeconds: random.pick([null, 2, 5]) } });
    if (kind < 19) return merge({ spec: { revisionHistoryLimit: random.pick([0, 1]) } });
    if (kind < 20) return merge({ metadata: { deletionTimestamp: formatTime(now), finalizers: ['foregroundDeletion'] } });
    if (kind < 21) return merge({ metadata: { uid: `new-${random.int(100)}` } });
    if (kind < 22) return { delete: target };
    if (kind < 23) return { put: randomStatefulSet(random, random.pick(['web', 'late']), 100 + now) };
    if (kind < 27) return randomClaimChange(random, now);
    return randomRevisionChange(random);
  });
}

function randomRevisionChange(random: Random): WorkloadChange {
  const target = { kind: 'ControllerRevision', nth: random.int(4) };
  const merge = (patch: Fields): WorkloadChange => ({ merge: { ...target, patch } });
  const kind = random.int(4);
  if (kind === 0) return { delete: target };
  if (kind === 1) return merge({ metadata: { ownerReferences: null } });
  if (kind === 2) return merge({ metadata: { ownerReferences: [ownerReference({ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' })] } });
  // The name then belongs to other data.
  return merge({ data: { spec: { template: { spec: { schedulerName: 'other' } } } } });
}
