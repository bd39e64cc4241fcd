import type { ApiObject } from 'kube-endpoints/port';
import type { SchedulerNode, SchedulerPod } from '../../../packages/simulator/src/internal.ts';

/** A cluster, and pods that the scheduler places one after the other. A placed pod is on its node before the next one is placed. */
export interface SchedulerCase {
  readonly id: string;
  readonly nodes: readonly SchedulerNode[];
  /** Pods that have a node. */
  readonly pods: readonly SchedulerPod[];
  readonly incoming: readonly SchedulerPod[];
  readonly namespaces: readonly ApiObject[];
  readonly services: readonly ApiObject[];
  readonly replicaSets: readonly ApiObject[];
  readonly statefulSets: readonly ApiObject[];
  readonly replicationControllers: readonly ApiObject[];
}

export interface SchedulerAnswer {
  readonly id: string;
  readonly pods: readonly PodAnswer[];
}

export interface PodAnswer {
  /** The message of the condition PodScheduled, if no node fits. */
  readonly message?: string;
  /** Why nodes do not fit, by name. */
  readonly rejected: Readonly<Record<string, NodeVerdict>>;
  /** The weighted scores of the nodes that fit, by name and plugin, with their "total". */
  readonly scores?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of the nodes with the highest score the first by name. */
  readonly host?: string;
}

export interface NodeVerdict {
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly unresolvable: boolean;
}
