import type { ApiObject, Status } from 'kube-endpoints/port';
import type { Random } from '../random.ts';
import { startTime, type WorkloadChange, type WriteFailure, type WriteVerb } from './case.ts';

/** Parts of cases that all controllers share: times, Pods, what the kubelet does with them, and failures of writes. */

export const namespace = 'default';

/** A time relative to the start, as objects contain it. */
export const formatTime = (ms: number): string => `${new Date(startTime + ms).toISOString().slice(0, 19)}Z`;

export interface OwnerOptions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export const ownerReference = (owner: OwnerOptions): Record<string, unknown> => ({ ...owner, controller: true, blockOwnerDeletion: true });

export interface PodOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner?: OwnerOptions | undefined;
}

/** A Pod in a random state, as it may be before the controller starts. */
export function randomPod(random: Random, { name, labels, owner }: PodOptions): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `pod-${random.int(1000)}-${name}`,
      generation: 1,
      creationTimestamp: formatTime(-random.pick([10, 10, 60, 4000, 90_000, 1_000_000]) * 1000),
      labels,
      ...(owner && { ownerReferences: [ownerReference(owner)] }),
      ...random.maybe(0.1, () => ({ deletionTimestamp: formatTime(20_000), deletionGracePeriodSeconds: 30 })),
      ...random.maybe(0.15, () => ({
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': random.pick(['1', '-5', '10', '+3', '008', 'x', '0', '']) },
      })),
    },
    spec: {
      ...random.maybe(0.8, () => ({ nodeName: random.pick(['n1', 'n2', 'n3']) })),
      containers: [{ name: 'c', image: 'i' }],
      ...random.maybe(0.2, () => ({ initContainers: [{ name: 's', image: 'i', restartPolicy: random.pick(['Always', 'Never']) }] })),
    },
    status: randomStatus(random, 0),
  };
}

/** A ready Pod on a node: several of them differ in little but what decides which one is deleted first. */
export const readyPod = (random: Random, { name, labels, owner }: PodOptions): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace,
    uid: `pod-${random.int(1000)}-${name}`,
    generation: 1,
    creationTimestamp: formatTime(-random.pick([5000, 5000, 9000]) * 1000),
    labels,
    ...(owner && { ownerReferences: [ownerReference(owner)] }),
    ...random.maybe(0.4, () => ({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': random.pick(['1', '-5', '10']) } })),
  },
  spec: { nodeName: random.pick(['n1', 'n2', 'n3']), containers: [{ name: 'c', image: 'i' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(-random.pick([4000, 4000, 4001, 90]) * 1000) }],
    ...random.maybe(0.3, () => ({ containerStatuses: [containerStatus('c', random.pick([0, 1]), true)] })),
  },
});

/** A status of the kubelet at a time. */
export function randomStatus(random: Random, now: number): Record<string, unknown> {
  const phase = random.pick(['Pending', 'Running', 'Running', 'Running', 'Running', 'Unknown', 'Failed', 'Succeeded']);
  const ready = phase === 'Running' && random.chance(0.8);
  const since = now - random.pick([0, 0, 1, 3, 10, 10, 700, 50_000]) * 1000;
  return {
    phase,
    ...random.maybe(0.9, () => ({
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: ready ? 'True' : 'False', ...random.maybe(0.95, () => ({ lastTransitionTime: formatTime(since) })) },
      ],
    })),
    ...random.maybe(0.3, () => ({ containerStatuses: [containerStatus('c', random.pick([0, 0, 1, 3]), ready)] })),
    ...random.maybe(0.1, () => ({ initContainerStatuses: [containerStatus('s', random.pick([0, 1, 2]), true)] })),
  };
}

const containerStatus = (name: string, restartCount: number, ready: boolean): Record<string, unknown> => ({
  name,
  restartCount,
  ready,
  image: 'i',
  imageID: 'i',
});

/** What the kubelet and other clients do with some Pods at a time. */
export function randomPodChanges(random: Random, now: number, labels: () => Record<string, string>): WorkloadChange[] {
  return Array.from({ length: random.pick([0, 1, 2, 4, 8]) }, (): WorkloadChange => {
    const target = { kind: 'Pod', nth: random.int(60) };
    const kind = random.int(20);
    if (kind < 8) return { merge: { ...target, patch: readyPatch(random, now) } };
    if (kind < 13) return { merge: { ...target, patch: { status: randomStatus(random, now) } } };
    if (kind < 16) return { delete: target };
    if (kind < 17) return { merge: { ...target, patch: { metadata: { labels: labels() } } } };
    if (kind < 18) return { merge: { ...target, patch: { metadata: { ownerReferences: null } } } };
    return {
      merge: { ...target, patch: { metadata: { deletionTimestamp: formatTime(now + 30_000), deletionGracePeriodSeconds: 30 } } },
    };
  });
}

const readyPatch = (random: Random, now: number): object => ({
  spec: { nodeName: random.pick(['n1', 'n2', 'n3']) },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - random.pick([0, 0, 0, 2, 20]) * 1000) }],
    containerStatuses: [containerStatus('c', random.pick([0, 0, 0, 1]), true)],
  },
});

/** Failures of writes in one step. */
export const randomFailures = (random: Random, kinds: readonly (readonly [WriteVerb, string, string?])[]): WriteFailure[] =>
  Array.from({ length: random.pick([0, 0, 0, 0, 0, 1, 1, 2]) }, () => {
    const [verb, kind, subresource] = random.pick(kinds);
    return {
      verb,
      kind,
      ...(subresource && { subresource }),
      ...random.maybe(0.4, () => ({ skip: random.pick([1, 2, 3, 4]) })),
      times: random.pick([1, 1, 1, 2, 3, 20]),
      status: randomFailure(random, verb),
    };
  });

function randomFailure(random: Random, verb: WriteVerb): Status {
  const failure = (code: number, reason: string, message: string, details?: Status['details']): Status => ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message,
    ...(details && { details }),
  });
  const common = [failure(504, 'Timeout', 'request timed out'), failure(403, 'Forbidden', 'pods "a" is forbidden: exceeded quota: q')];
  if (verb === 'create') {
    const causes = [{ reason: 'NamespaceTerminating', message: 'namespace default is being terminated', field: 'metadata.namespace' }];
    return random.pick([
      ...common,
      failure(403, 'Forbidden', 'forbidden: namespace is being terminated', { causes }),
      failure(409, 'AlreadyExists', 'pods "a" already exists'),
    ]);
  }
  return random.pick([
    ...common,
    failure(409, 'Conflict', 'Operation cannot be fulfilled: the object has been modified'),
    failure(404, 'NotFound', 'not found'),
    ...(verb === 'patch' ? [failure(422, 'Invalid', 'invalid')] : []),
  ]);
}

/** How long a step lasts, in milliseconds: short, as long as typical delays, or beyond the timeout of expectations. */
export const randomDuration = (random: Random): number =>
  random.pick([0, 0, 5, 20, 100, 1000, 1000, 2500, 3000, 10_000, 31_000, 301_000, 700_000]);

/** Kinds whose watch events are late. */
export const randomHold = (random: Random, kinds: readonly string[]): { hold: string[] } | undefined =>
  random.maybe(0.15, () => ({ hold: [random.pick(kinds)] }));
