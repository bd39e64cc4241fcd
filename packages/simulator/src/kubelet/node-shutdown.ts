import type { PodStatus } from 'kube-endpoints/types';
import type { KubeletPod } from './pod.ts';

/** The kubelet's configuration of graceful node shutdown. It is disabled if there is no period. Durations are in milliseconds. */
export interface ShutdownConfig {
  /** shutdownGracePeriod; 0 by default. */
  readonly gracePeriod?: number;
  /** shutdownGracePeriodCriticalPods: the last part of the period, for pods of the system's priorities; 0 by default. */
  readonly criticalPods?: number;
  /** shutdownGracePeriodByPodPriority: replaces the other fields unless it is empty. */
  readonly byPodPriority?: readonly ShutdownPeriod[];
}

/** The pods from this priority on have so many seconds. */
export interface ShutdownPeriod {
  readonly priority: number;
  readonly seconds: number;
}

/** Pods that are killed at the same time. */
export interface ShutdownGroup extends ShutdownPeriod {
  readonly pods: readonly { readonly pod: KubeletPod; readonly gracePeriodSeconds: number }[];
}

/**
 * The groups of pods in the order in which a node that shuts down kills them, lowest priority first. The node kills a group when the one before it
 * has ended and unmounted its volumes, or its period is over: see `endOfShutdownGroup`. Empty if graceful shutdown is disabled. Mirrors
 * `newPodManager`, `groupByPriority` and `killPods` (1.36, pkg/kubelet/nodeshutdown/nodeshutdown_manager.go).
 */
export function groupPodsForShutdown(config: ShutdownConfig, pods: readonly KubeletPod[]): ShutdownGroup[] {
  const periods = shutdownPeriods(config);
  return periods
    .map(({ priority, seconds }, index) => ({
      priority,
      seconds,
      pods: pods
        .filter(({ spec }) => groupIndex(periods, spec?.priority ?? 0) === index)
        .map((pod) => ({ pod, gracePeriodSeconds: Math.min(pod.spec?.terminationGracePeriodSeconds ?? seconds, seconds) })),
    }))
    .filter((group) => group.pods.length > 0);
}

/** The periods of a configuration, lowest priority first. */
export function shutdownPeriods({ gracePeriod = 0, criticalPods = 0, byPodPriority = [] }: ShutdownConfig): ShutdownPeriod[] {
  if (byPodPriority.length > 0) return [...byPodPriority].sort((a, b) => a.priority - b.priority);
  if (gracePeriod === 0 || criticalPods > gracePeriod || criticalPods < 0) return [];
  return [
    { priority: 0, seconds: Math.trunc((gracePeriod - criticalPods) / 1000) },
    { priority: systemCriticalPriority, seconds: Math.trunc(criticalPods / 1000) },
  ];
}

/** The priority of the class system-cluster-critical. */
const systemCriticalPriority = 2_000_000_000;

/** The last period whose priority is not higher than the pod's, or the first one. */
const groupIndex = (periods: readonly ShutdownPeriod[], priority: number): number =>
  Math.max(
    0,
    periods.findLastIndex((period) => period.priority <= priority),
  );

/**
 * When the node goes on to the next group.
 * @param startedAt when the group was killed, in milliseconds since the epoch
 * @param unmountedAt when its last pod had ended and its volumes were unmounted
 */
export const endOfShutdownGroup = ({ seconds }: ShutdownPeriod, startedAt: number, unmountedAt: number): number =>
  Math.min(startedAt + seconds * 1000, unmountedAt);

/** The status of a pod that is killed because its node shuts down. Mirrors the status function of `killPods`. */
export function shutdownStatus({ metadata }: KubeletPod, status: PodStatus, now: string): PodStatus {
  const former = status.conditions ?? [];
  const index = former.findIndex(({ type }) => type === 'DisruptionTarget');
  const existing = former[index];
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message: shutdownMessage,
    ...(metadata?.generation && { observedGeneration: metadata.generation }),
    lastTransitionTime: existing?.status === 'True' ? (existing.lastTransitionTime ?? null) : now,
  };
  return {
    ...status,
    phase: status.phase === 'Succeeded' ? 'Succeeded' : 'Failed',
    reason: 'Terminated',
    message: shutdownMessage,
    conditions: existing ? former.with(index, condition) : [...former, condition],
  };
}

const shutdownMessage = 'Pod was terminated in response to imminent node shutdown.';
