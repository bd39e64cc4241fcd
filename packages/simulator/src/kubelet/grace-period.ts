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
