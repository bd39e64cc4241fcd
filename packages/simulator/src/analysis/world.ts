import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { isJobFinished } from '../workloads/job/conditions.ts';
import { isSuspended, type Job, jobKind } from '../workloads/job/objects.ts';
import { controllerOf } from '../workloads/owner-references.ts';

/** The objects of a cluster before a change, and those that the change applies. */
export interface World {
  readonly objects: readonly ApiObject[];
  readonly change: readonly ApiObject[];
}

/** For example "Deployment shop/web". */
export const keyOf = (object: ApiObject): string => `${object.kind} ${objectKey(object)}`;

/** The number of pods that a world wants, before or after its change, at least 1. */
export function countPods({ objects, change }: World): number {
  const counts = new Map<string, number>();
  const nodeCount = objects.filter(({ kind }) => kind === 'Node').length;
  for (const object of [...objects, ...change]) {
    const key = keyOf(object);
    counts.set(key, Math.max(counts.get(key) ?? 0, podCountOf(object, nodeCount)));
  }
  return Math.max(
    1,
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
}

/** The number of pods of a Pod or workload. */
export function podCountOf(object: ApiObject, nodeCount: number): number {
  if (object.kind === 'DaemonSet') return nodeCount;
  return object.kind === 'Pod' ? 1 : replicasOf(object);
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
