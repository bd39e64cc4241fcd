import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { isJobFinished } from '../workloads/job/conditions.ts';
import { isSuspended, type Job, type JobStatus, jobKind, withoutUidLabels } from '../workloads/job/objects.ts';
import { controllerOf } from '../workloads/owner-references.ts';

/** The objects of a cluster before a change, and those that the change applies. */
export interface World {
  readonly objects: readonly ApiObject[];
  readonly change: readonly ApiObject[];
}

/**
 * Prepares manifests, or the objects of a cluster, for a simulation. Leaves out what controllers and components write: objects with a
 * controller, EndpointSlices, and statuses, except for those of Nodes and what Jobs have done so far. Adds the namespace "default" to objects
 * without one, the Namespaces of all objects, and three Nodes if it has no Nodes.
 */
export function completeWorld({ objects, change }: World): World {
  const before = objects.filter(isSimulated).map(clean);
  const after = change.filter(isSimulated).map(clean);
  const existing = new Set(before.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const needed = new Set([...before, ...after].flatMap(({ metadata }) => metadata.namespace ?? []));
  const namespaces = [...needed].filter((name) => !existing.has(name)).map((name) => createObject('Namespace', name));
  const nodes = before.some(({ kind }) => kind === 'Node') ? [] : ['n1', 'n2', 'n3'].map((name) => createObject('Node', name));
  const ofKind = (isFirst: boolean): ApiObject[] => before.filter(({ kind = '' }) => clusterKinds.includes(kind) === isFirst);
  return { objects: [...nodes, ...namespaces, ...ofKind(true), ...ofKind(false)], change: after };
}

/** For example "Deployment shop/web". */
export const keyOf = (object: ApiObject): string => `${object.kind} ${objectKey(object)}`;

/** The number of pods that a world wants, before or after its change, at least 1. */
export function countPods({ objects, change }: World): number {
  const counts = new Map<string, number>();
  const nodeCount = objects.filter(({ kind }) => kind === 'Node').length;
  for (const object of [...objects, ...change]) {
    const key = keyOf(object);
    const count = object.kind === 'DaemonSet' ? nodeCount : object.kind === 'Pod' ? 1 : replicasOf(object);
    counts.set(key, Math.max(counts.get(key) ?? 0, count));
  }
  return Math.max(
    1,
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
}

/** The number of pods that an object with replicas, or a Job, wants at a time, 1 if its number is invalid; 0 of other objects. */
export function replicasOf({ kind = '', ...object }: ApiObject): number {
  if (kind === jobKind.kind) return parallelismOf(object as Job);
  if (!['Deployment', 'ReplicaSet', 'StatefulSet'].includes(kind)) return 0;
  const { replicas } = (object['spec'] ?? {}) as { readonly replicas?: unknown };
  return Number.isSafeInteger(replicas) ? Math.max(0, replicas as number) : 1;
}

function parallelismOf(job: Job): number {
  const { parallelism, completions } = (job.spec ?? {}) as Partial<Job['spec']>;
  if (isJobFinished(job) || (job.spec && isSuspended(job))) return 0;
  const count = Math.min(parallelism ?? 1, completions ?? Number.POSITIVE_INFINITY);
  return Number.isSafeInteger(count) ? Math.max(0, count) : 1;
}

/** The kinds with pod templates that users change. */
export const workloadKinds: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

export const isWorkload = ({ kind = '' }: ApiObject): boolean => workloadKinds.includes(kind);

/** The kinds of objects that a simulation reads, sorted. Others have no effect. */
export const simulatedKinds: readonly string[] = [
  'DaemonSet',
  'Deployment',
  'Job',
  'Namespace',
  'Node',
  'Pod',
  'PodDisruptionBudget',
  'ReplicaSet',
  'Service',
  'StatefulSet',
];

/** The simulated kinds whose objects have no namespace. */
export const clusterKinds: readonly string[] = ['Namespace', 'Node'];

/** Whether an object has an effect: its kind is simulated, and no controller writes it. */
export const isSimulated = ({ kind = '', metadata }: ApiObject): boolean =>
  simulatedKinds.includes(kind) &&
  // The API server's validation refuses another type.
  !(Array.isArray(metadata.ownerReferences) && controllerOf({ kind, metadata }));

const createObject = (kind: string, name: string): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** An object as its author wrote it, and of a Job what it has done so far. */
function clean(object: ApiObject): ApiObject {
  const { metadata, status, ...rest } = object.kind === jobKind.kind ? withoutUidLabels(object as Job) : object;
  const { uid: _, resourceVersion: __, generation: ___, creationTimestamp: ____, managedFields: _____, ...written } = metadata;
  const { namespace = 'default', ...clusterWide } = written;
  const kept = status === undefined ? undefined : keptStatus[rest.kind ?? '']?.(status);
  return {
    ...rest,
    metadata: clusterKinds.includes(rest.kind ?? '') ? clusterWide : { ...written, namespace },
    ...(kept !== undefined && { status: kept }),
  };
}

/** What stays of a status, by kind. A Job has no pods yet, and its deadline counts from its start in the simulation. */
const keptStatus: Readonly<Record<string, (status: unknown) => unknown>> = {
  Node: (status) => status,
  Job(status) {
    const {
      startTime: _,
      active: __,
      ready: ___,
      terminating: ____,
      uncountedTerminatedPods: _____,
      ...kept
    } = (status ?? {}) as JobStatus;
    return Object.keys(kept).length > 0 ? kept : undefined;
  },
};
