import { deepEqual, objectKey, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { maxUnavailable } from '../../workloads/deployment/strategy.ts';
import { budgetKind, type DisruptionBudget } from '../../workloads/disruption/objects.ts';
import { scaleValue } from '../../workloads/scaled-value.ts';
import type { Deployment } from '../../workloads/types.ts';
import { keyOf } from '../world.ts';
import { isReady, type PodLike, type ProvenService, selects, templateOf, workloadOf } from './objects.ts';

/** A change of a cluster at rest. */
export interface ProvenChange {
  /** The objects of the cluster at rest. */
  readonly objects: readonly ApiObject[];
  /** The objects that the change applies. */
  readonly change: readonly ApiObject[];
  /** The names of the nodes that it drains. */
  readonly drained: readonly string[];
}

/** What keeps a Service available, or why nothing is known to do so. */
export type Availability = { readonly keeps: string } | { readonly lacks: string };

/** Whether a change may delete a pod: one of a changed workload, or one that a drain evicts. */
export function mayEnd(pod: PodLike, { objects, change, drained }: ProvenChange): boolean {
  const workload = workloadOf(pod, objects);
  return (
    change.some((object) => keyOf(object) === workload) ||
    (drained.includes(pod.spec?.nodeName ?? '') && !workload.startsWith('DaemonSet '))
  );
}

/**
 * Finds out why a Service always has a ready endpoint: pods that the change leaves alone, a workload whose update keeps enough ready pods, or a
 * PodDisruptionBudget. Ready pods stay ready until they are deleted.
 */
export function availabilityOf(service: ProvenService, pods: readonly PodLike[], change: ProvenChange): Availability {
  const untouched = pods.filter((pod) => isReady(pod) && !mayEnd(pod, change)).length;
  if (untouched > 0) return { keeps: `${untouched} of its ready pods ${untouched === 1 ? 'is' : 'are'} left alone` };
  if (change.drained.length > 0) return availabilityInDrain(service, pods, change.objects);
  for (const workload of change.change) {
    const least = leastReady(service, workload, change.objects, pods);
    if (least > 0) return { keeps: `${keyOf(workload)} keeps at least ${least} ready` };
  }
  const names = change.change.map(keyOf).join(', ');
  return { lacks: `the update of ${names} may leave Service ${objectKey(service)} without a ready pod` };
}

/**
 * A budget protects a Service if it selects exactly its pods and requires a number of them: with a percentage or maxUnavailable, it expects only the
 * pods of controllers that have a pod at the time.
 */
function availabilityInDrain(service: ProvenService, pods: readonly PodLike[], objects: readonly ApiObject[]): Availability {
  const inNamespace = objects.filter(
    ({ kind, metadata }) => kind === 'Pod' && metadata.namespace === service.metadata.namespace,
  ) as PodLike[];
  for (const budget of objects as readonly DisruptionBudget[]) {
    if (budget.kind !== budgetKind || budget.metadata.namespace !== service.metadata.namespace || !budget.spec?.selector) continue;
    const { selector, minAvailable } = budget.spec;
    if (typeof minAvailable !== 'number' || minAvailable < 1) continue;
    const selected = inNamespace.filter(({ metadata }) => selectorMatches(selector, metadata.labels ?? {}));
    if (selected.length === pods.length && selected.every((pod) => pods.includes(pod)))
      return { keeps: `${keyOf(budget)} keeps at least ${minAvailable} healthy` };
  }
  return {
    lacks: `all ready pods of Service ${objectKey(service)} are on drained nodes, and no PodDisruptionBudget with a number as minAvailable selects exactly its pods`,
  };
}

/** How many pods of a workload are ready at any time of its update at least; 0 if nothing is known. */
function leastReady(service: ProvenService, workload: ApiObject, objects: readonly ApiObject[], pods: readonly PodLike[]): number {
  const template = templateOf(workload);
  const before = objects.find((object) => keyOf(object) === keyOf(workload));
  if (!before || !template || !selects(service, template)) return 0;
  const owned = pods.filter((pod) => workloadOf(pod, objects) === keyOf(workload));
  if (owned.length === 0 || !owned.every(isReady)) return 0;
  const row = leastByKind[workload.kind ?? ''];
  return row ? Math.min(owned.length, row(workload, before, owned.length)) : 0;
}

interface Updated extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly strategy?: Deployment['spec']['strategy'];
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly template?: { readonly spec?: Readonly<Record<string, unknown>> };
  };
}

/**
 * By kind, how many pods an update from one object to another keeps ready, of those that it has. A field that the update leaves out may stay as it
 * was.
 */
const leastByKind: Readonly<Record<string, (after: Updated, before: Updated, pods: number) => number>> = {
  Deployment: (after, before) => {
    const { maxSurge, maxUnavailable: unavailable } = after.spec?.strategy?.rollingUpdate ?? {};
    const isComplete = maxSurge !== undefined && unavailable !== undefined && after.spec?.strategy?.type !== undefined;
    return Math.min(...(isComplete ? [after] : [after, before]).map((strategyOf) => leastOfDeployment(after, strategyOf)));
  },
  StatefulSet: (after, before) => Math.min(...[after, before].map((strategyOf) => leastOfStatefulSet(after, strategyOf))),
  DaemonSet: (after, before, pods) =>
    placementFields.every((field) => deepEqual(after.spec?.template?.spec?.[field], before.spec?.template?.spec?.[field]))
      ? Math.min(...[after, before].map((strategyOf) => leastOfDaemonSet(strategyOf, pods)))
      : 0,
};

function leastOfDeployment({ spec }: Updated, { spec: { strategy } = {} }: Updated): number {
  const replicas = spec?.replicas ?? 1;
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%', ...strategy?.rollingUpdate };
  if (strategy?.type === 'Recreate') return 0;
  return replicas - maxUnavailable({ spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } } } as unknown as Deployment);
}

function leastOfStatefulSet({ spec }: Updated, { spec: { updateStrategy } = {} }: Updated): number {
  const replicas = spec?.replicas ?? 1;
  return replicas - Math.max(1, scaleValue(updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicas, Math.ceil));
}

/** The fields of a pod that decide on which nodes a DaemonSet runs one: it deletes those on other nodes at once. */
const placementFields = ['nodeName', 'nodeSelector', 'affinity', 'tolerations'];

/** With second pods on its nodes (maxSurge), a DaemonSet deletes the first one only when the second one is available. */
function leastOfDaemonSet({ spec: { updateStrategy } = {} }: Updated, pods: number): number {
  const { maxSurge = 0, maxUnavailable: unavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
  if (updateStrategy?.type === 'OnDelete' || scaleValue(maxSurge, pods, Math.ceil) > 0) return pods;
  return pods - Math.max(1, scaleValue(unavailable, pods, Math.ceil));
}
