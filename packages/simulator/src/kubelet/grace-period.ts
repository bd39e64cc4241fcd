import type { KillReason } from './actions.ts';
import type { KubeletContainer, KubeletPod } from './pod.ts';

/** A container has this many seconds at least, even if its grace period is shorter or used up by its preStop hook. */
export const minGracePeriodSeconds = 2;

/**
 * The grace period of a container in seconds, before its preStop hook: the pod's, or that of the probe that it failed unless the pod is deleted.
 * Mirrors `setTerminationGracePeriod` (1.36, pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function terminationGracePeriod({ metadata, spec }: KubeletPod, container: KubeletContainer, reason: KillReason): number {
  const probe = { StartupProbe: container.startupProbe, LivenessProbe: container.livenessProbe }[reason as string];
  const ofPod = spec?.terminationGracePeriodSeconds ?? undefined;
  const ofSpec = ofPod === undefined ? minGracePeriodSeconds : (probe?.terminationGracePeriodSeconds ?? ofPod);
  return metadata?.deletionGracePeriodSeconds ?? ofSpec;
}

/**
 * The grace period in seconds of a pod that has to stop, or has to stop sooner: it never grows, and is at least 1. Mirrors
 * `calculateEffectiveGracePeriod` (1.36, pkg/kubelet/pod_workers.go).
 * @param current the pod's grace period so far; 0 if termination was not requested before
 * @param requested the grace period of an eviction or the like
 */
export function effectiveGracePeriod({ metadata, spec }: KubeletPod, current: number, requested?: number): number {
  let gracePeriod = current;
  let isOverridden = false;
  for (const override of [metadata?.deletionGracePeriodSeconds ?? undefined, requested]) {
    if (override === undefined || (gracePeriod !== 0 && override >= gracePeriod)) continue;
    gracePeriod = override;
    isOverridden = true;
  }
  const isUnset = gracePeriod === 0 && !isOverridden;
  return Math.max(isUnset ? (spec?.terminationGracePeriodSeconds ?? 0) : gracePeriod, 1);
}
