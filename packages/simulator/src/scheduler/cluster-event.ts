import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { Change } from '../controller/controller.ts';
import { amountsOfPod } from './resources.ts';
import type { Node, Pod } from './types.ts';

/** A change of the cluster that can make a rejected pod fit (1.36, pkg/scheduler/framework/events.go). */
export type ClusterEvent = NodeEvent | PodEvent;

export interface NodeEvent {
  readonly kind: 'node';
  readonly previous?: Node;
  readonly current?: Node;
  readonly hasNewLabels: boolean;
  /** Whether its taints changed, or it became schedulable. */
  readonly hasNewTaints: boolean;
  readonly hasNewAllocatable: boolean;
}

/** A change of a pod that has a node, or of the rejected pod itself. */
export interface PodEvent {
  readonly kind: 'pod';
  readonly previous?: Pod;
  readonly current?: Pod;
  readonly hasNewLabels: boolean;
  readonly hasNewTolerations: boolean;
  /** Whether it requests less. */
  readonly isScaledDown: boolean;
}

export function toNodeEvent({ previous, current }: Change): NodeEvent {
  const [before, after] = [previous as Node | undefined, current as Node | undefined];
  const isUpdate = before !== undefined && after !== undefined;
  const becameSchedulable = before?.spec?.unschedulable === true && !after?.spec?.unschedulable;
  return {
    kind: 'node',
    ...(before && { previous: before }),
    ...(after && { current: after }),
    hasNewLabels: isUpdate && !semanticEqual(before.metadata.labels, after.metadata.labels),
    hasNewTaints: isUpdate && (becameSchedulable || !semanticEqual(before.spec?.taints, after.spec?.taints)),
    hasNewAllocatable: isUpdate && !semanticEqual(before.status?.allocatable, after.status?.allocatable),
  };
}

export function toPodEvent(previous: Pod | undefined, current: Pod | undefined): PodEvent {
  const isUpdate = previous !== undefined && current !== undefined;
  return {
    kind: 'pod',
    ...(previous && { previous }),
    ...(current && { current }),
    hasNewLabels: isUpdate && !semanticEqual(previous.metadata.labels, current.metadata.labels),
    hasNewTolerations: isUpdate && (previous.spec?.tolerations ?? []).length !== (current.spec?.tolerations ?? []).length,
    isScaledDown: isUpdate && requestsLess(current, previous),
  };
}

function requestsLess(current: Pod, previous: Pod): boolean {
  const [after, before] = [amountsOfPod(current, true), amountsOfPod(previous, true)];
  const scalars = [...before.scalars].some(([name, amount]) => (after.scalars.get(name) ?? 0) < amount);
  return scalars || (['milliCPU', 'memory', 'ephemeralStorage'] as const).some((field) => after[field] < before[field]);
}
