import { findRestartRule, isRestarted } from 'kube-endpoints/internal';
import type { Optional } from 'kube-endpoints/types';
import { containersOf, initContainersOf, type KubeletContainer, type KubeletPod } from './pod.ts';
import { findContainer, type RuntimeStatus } from './runtime-status.ts';

/**
 * Whether a container that does not run has to be started. Mirrors `ShouldContainerBeRestarted` (1.36, pkg/kubelet/container/helpers.go).
 */
export function shouldContainerBeRestarted(container: KubeletContainer, pod: KubeletPod, status: RuntimeStatus): boolean {
  if (pod.metadata?.deletionTimestamp) return false;
  const existing = findContainer(status, container);
  if (existing?.state === 'running') return false;
  return existing?.state !== 'exited' || isRestarted(container, pod, existing.exitCode ?? 0, { initializedRemembered: true });
}

/** Whether a running container that is killed for a failed probe is started again: restart rules do not apply, as there is no exit code. */
export const isRestartedAfterProbeFailure = ({ restartPolicy }: KubeletContainer, pod: KubeletPod): boolean =>
  (restartPolicy ?? pod.spec?.restartPolicy) !== 'Never';

/** Mirrors `shouldRestartOnFailure` (1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export const isPodRestartedOnFailure = ({ spec }: KubeletPod): boolean => spec?.restartPolicy !== 'Never';

/** Whether a container that ended with code 0 is not started again in a new sandbox. */
export const isRunOnce = ({ restartPolicy }: KubeletContainer, { spec }: KubeletPod): boolean =>
  (restartPolicy ?? spec?.restartPolicy) === 'OnFailure';

/**
 * Whether the pod's containers are all restarted in place: the pod has the condition, or a container ended with an exit code for which a rule
 * says so. Mirrors `ShouldAllContainersRestart` (1.36, pkg/kubelet/container/helpers.go).
 */
export function shouldAllContainersRestart(pod: KubeletPod, status: RuntimeStatus): boolean {
  const { conditions, initContainerStatuses, containerStatuses } = pod.status ?? {};
  if (conditions?.some(({ type, status: value }) => type === 'AllContainersRestarting' && value === 'True')) return true;
  const reported = [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
  return [...initContainersOf(pod), ...containersOf(pod)].some((container) => {
    const existing = findContainer(status, container);
    if (existing?.state !== 'exited') return false;
    const terminated = reported.findLast(({ name }) => (name ?? '') === (container.name ?? ''))?.state?.terminated;
    return restartsAll(container, existing.exitCode) || (!!terminated && restartsAll(container, terminated.exitCode));
  });
}

/** Whether all containers of the pod were removed from the runtime. Mirrors `AllContainersRestartCleanedUp` (1.36). */
export const isRestartCleanedUp = (pod: KubeletPod, status: RuntimeStatus): boolean =>
  [...initContainersOf(pod), ...containersOf(pod)].every((container) => !findContainer(status, container));

/** Whether a container that ended with this code restarts all containers of its pod. */
export const restartsAll = (container: KubeletContainer, exitCode: Optional<number>): boolean =>
  findRestartRule(container, exitCode ?? 0)?.action === 'RestartAllContainers';
