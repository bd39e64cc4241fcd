import type { ApiObject } from 'kube-endpoints/port';
import { printTemplate } from '../../../packages/simulator/src/workloads/history/template.ts';
import { computeHash } from '../../../packages/simulator/src/workloads/pod-template/hash.ts';
import type { Random } from '../random.ts';
import { formatTime, namespace, type OwnerOptions, ownerReference, randomStatus } from './generate-world.ts';

export type Fields = Record<string, unknown>;

/** With these, the maps of the controller have at most eight entries, whose order is defined. */
export const nodeNames: readonly string[] = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'];

const randomTaint = (random: Random): Fields => ({
  key: random.pick(['dedicated', 'dedicated', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/network-unavailable']),
  ...random.maybe(0.5, () => ({ value: random.pick(['gpu', 'db']) })),
  effect: random.pick(['NoSchedule', 'NoSchedule', 'NoExecute', 'PreferNoSchedule']),
  ...random.maybe(0.1, () => ({ timeAdded: formatTime(0) })),
});

export const randomTaints = (random: Random): Fields[] =>
  Array.from({ length: random.pick([0, 0, 0, 1, 1, 2]) }, () => randomTaint(random));

export const randomNodeLabels = (random: Random): Record<string, string> => ({
  zone: random.pick(['a', 'a', 'b']),
  ...random.maybe(0.4, () => ({ cores: random.pick(['4', '8', '+16', 'many']) })),
});

export const randomNode = (random: Random, name: string): ApiObject => {
  const taints = random.chance(0.3) ? randomTaints(random) : [];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `node-${name}-${random.int(1000)}`, labels: randomNodeLabels(random) },
    spec: { ...random.maybe(0.1, () => ({ unschedulable: true })), ...(taints.length > 0 && { taints }) },
  };
};

const randomToleration = (random: Random): Fields =>
  random.pick<Fields>([
    { operator: 'Exists' },
    { key: 'dedicated', operator: 'Exists' },
    { key: 'dedicated', operator: 'Equal', value: 'gpu' },
    { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
    { key: 'dedicated', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
  ]);

const randomTerm = (random: Random): Fields =>
  random.pick<Fields>([
    { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
    { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a', 'c'] }] },
    { matchExpressions: [{ key: 'cores', operator: random.pick(['Exists', 'DoesNotExist']) }] },
    { matchExpressions: [{ key: 'cores', operator: random.pick(['Gt', 'Lt']), values: [random.pick(['5', '4', 'x'])] }] },
    { matchFields: [{ key: 'metadata.name', operator: random.pick(['In', 'NotIn']), values: [random.pick(nodeNames)] }] },
    { matchExpressions: [{ key: 'zone', operator: 'Exists' }], matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }] },
    {},
    {
      matchExpressions: [{ key: 'zone', ...random.pick([{ operator: 'NotIn', values: ['-b'] }, { operator: 'In' }, { operator: 'Is' }]) }],
    },
  ]);

const randomAffinity = (random: Random): Fields => ({
  ...random.maybe(0.7, () => ({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: Array.from({ length: random.pick([1, 1, 2]) }, () => randomTerm(random)),
    },
  })),
  ...random.maybe(0.4, () => ({
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 5, preference: { matchExpressions: [{ key: 'zone', operator: 'Exists' }] } },
    ],
  })),
});

/** The fields of a pod's spec that decide on which nodes it runs; null removes a field in a merge patch. */
export const randomConstraints = (random: Random): Fields => {
  const field = (share: number, name: string, make: () => unknown): Fields => ({ [name]: random.chance(share) ? make() : null });
  return {
    ...field(0.2, 'nodeSelector', () => ({ zone: random.pick(['a', 'a', 'b']) })),
    ...field(0.25, 'affinity', () => ({
      nodeAffinity: randomAffinity(random),
      ...random.maybe(0.2, () => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } })),
    })),
    ...field(0.3, 'tolerations', () => Array.from({ length: random.pick([1, 1, 2, 3]) }, () => randomToleration(random))),
    ...field(0.1, 'hostNetwork', () => true),
    ...field(0.04, 'nodeName', () => random.pick(nodeNames)),
  };
};

export const randomContainer = (random: Random): Fields => ({
  name: 'c',
  image: random.pick(['a', 'b', 'd']),
  ...random.maybe(0.2, () => ({ resources: { requests: { cpu: random.pick(['100m', '1']) } } })),
});

export interface Template {
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec: Fields;
}

const withoutNull = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

export const randomTemplate = (random: Random, name: string): Template => ({
  metadata: {
    labels: { app: name, ...random.maybe(0.2, () => ({ tier: random.pick(['a', 'b']) })) },
    ...random.maybe(0.15, () => ({ annotations: { text: random.pick(['a & b', '<x>']) } })),
  },
  spec: {
    containers: [randomContainer(random)],
    ...(random.chance(0.5) && withoutNull(randomConstraints(random))),
    ...random.maybe(0.2, () => ({ securityContext: {}, terminationGracePeriodSeconds: 30 })),
  },
});

const randomLimit = (random: Random): number | string => random.pick([0, 1, 1, 2, '10%', '50%', '100%', '0%']);

export const randomStrategy = (random: Random): Fields =>
  random.pick<() => Fields>([
    () => ({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: randomLimit(random), maxSurge: 0 } }),
    () => ({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: randomLimit(random) } }),
    () => ({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: randomLimit(random) } }),
    () => ({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: randomLimit(random), maxSurge: random.pick<number | string>([1, 2, '50%']) },
    }),
    () => ({ type: 'RollingUpdate' }),
    () => ({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: random.pick(['x', '5']), maxSurge: random.pick([0, 1]) } }),
    () => ({
      type: 'RollingUpdate',
      rollingUpdate: random.pick<Fields>([{ maxSurge: 1 }, { maxUnavailable: 1, maxSurge: 'x' }]),
    }),
    () => ({ type: 'OnDelete' }),
  ])();

export function randomDaemonSet(random: Random, name: string): ApiObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace,
      uid: `ds-${name}`,
      generation: 1 + random.int(3),
      creationTimestamp: formatTime(-100_000),
      ...random.maybe(0.3, () => ({ annotations: randomAnnotations(random) })),
      ...random.maybe(0.03, () => ({ deletionTimestamp: formatTime(0), finalizers: ['foregroundDeletion'] })),
    },
    spec: {
      selector: random.chance(0.02)
        ? {}
        : random.pick<Fields>([{ matchLabels: { app: name } }, { matchExpressions: [{ key: 'app', operator: 'In', values: [name] }] }]),
      template: randomTemplate(random, name),
      updateStrategy: randomStrategy(random),
      ...random.maybe(0.35, () => ({ minReadySeconds: random.pick([1, 5, 10]) })),
      revisionHistoryLimit: random.pick([0, 1, 2, 10]),
    },
    status: emptyStatus,
  };
}

const emptyStatus = { desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };

export const randomAnnotations = (random: Random): Record<string, string> => ({
  a: random.pick(['<b>', 'c']),
  ...random.maybe(0.7, () => ({ 'deprecated.daemonset.template.generation': random.pick(['1', '2', '2', '+2', 'x', '']) })),
});

export const ownerOf = ({ metadata: { name = '', uid = '' } }: ApiObject): OwnerOptions => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  name,
  uid,
});

const otherOwner: OwnerOptions = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web', uid: 'earlier' };

/** Owner references: mostly the DaemonSet, else none, or one of another UID. */
const randomOwner = (random: Random, daemonSet: ApiObject): Fields => {
  if (random.chance(0.9)) return { ownerReferences: [ownerReference(ownerOf(daemonSet))] };
  return random.chance(0.7) ? {} : { ownerReferences: [ownerReference(otherOwner)] };
};

export function randomRevision(random: Random, daemonSet: ApiObject, template: Template, revision: number): ApiObject {
  const hash = computeHash(template, undefined);
  const isOld = random.chance(0.05);
  const owner = randomOwner(random, daemonSet);
  // The pods of a foreign revision without a hash would be replaced in an endless loop.
  const isForeign = JSON.stringify(owner).includes(otherOwner.uid);
  const hasHash = isForeign || random.chance(0.9);
  const { metadata, ...others } = printTemplate(template) as Template;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${daemonSet.metadata.name}-${random.chance(0.9) ? hash : `copy${revision}`}`,
      namespace,
      uid: `rev-${daemonSet.metadata.name}-${revision}`,
      generation: 1,
      creationTimestamp: formatTime(-90_000),
      labels: { ...template.metadata.labels, ...(hasHash && { 'controller-revision-hash': hash }) },
      ...owner,
    },
    // Releases before 1.34 printed an empty time of creation.
    data: { spec: { template: { $patch: 'replace', metadata: { ...(isOld && { creationTimestamp: null }), ...metadata }, ...others } } },
    revision: revision + random.pick([0, 0, 0, 2]),
  };
}

export interface DaemonPodOptions {
  readonly name: string;
  readonly node: string;
  readonly template: Template;
}

/** A pod that the DaemonSet may have created, scheduled or not. */
export function randomDaemonPod(random: Random, daemonSet: ApiObject, { name, node, template }: DaemonPodOptions): ApiObject {
  const isScheduled = random.chance(0.8);
  const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  const isBound = isScheduled || random.chance(0.9);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `pod-${name}`,
      generation: 1,
      creationTimestamp: formatTime(-random.pick([80, 80, 70, 60]) * 1000),
      labels: {
        ...template.metadata.labels,
        ...random.maybe(0.95, () => ({ 'controller-revision-hash': computeHash(template, undefined) })),
        ...random.maybe(0.15, () => ({ 'pod-template-generation': random.pick(['1', '2']) })),
      },
      ...randomOwner(random, daemonSet),
      ...random.maybe(0.06, () => ({ deletionTimestamp: formatTime(20_000), deletionGracePeriodSeconds: 30 })),
    },
    spec: {
      containers: [{ name: 'c', image: 'a' }],
      ...(isScheduled && { nodeName: node }),
      ...(isBound && {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
      }),
    },
    status: randomPodStatus(random, 0),
  };
}

export const randomPodStatus = (random: Random, now: number): Fields =>
  random.chance(0.75)
    ? {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - random.pick([0, 0, 2, 20]) * 1000) }],
      }
    : randomStatus(random, now);
