import { isSidecar, isTerminalPhase } from 'kube-endpoints/internal';
import type { ContainerStatus, PodStatus } from 'kube-endpoints/types';
import { initContainersOf, type KubeletPod } from './pod.ts';

/**
 * The last status of a pod that is cleaned up: containers of unknown end have failed, and the phase is terminal. Mirrors `TerminatePod` (1.36,
 * pkg/kubelet/status/status_manager.go).
 * @param status the kubelet's status so far
 */
export function terminateStatus(pod: KubeletPod, status: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const attempted = countAttempted(initContainerStatuses ?? []);
  return {
    ...status,
    ...(containerStatuses && hasInitialized(pod) && { containerStatuses: containerStatuses.map(fail) }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((container, i) => (i < attempted ? fail(container) : container)),
    }),
    ...(!isTerminalPhase(status.phase) && { phase: 'Failed' }),
  };
}

const fail = (container: ContainerStatus): ContainerStatus =>
  container.state?.terminated ? container : { ...container, state: { terminated: unknownEnd } };

const unknownEnd = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
} as const;

/** The number of init containers up to the last that was started; 1 if none was. Mirrors `initializedContainers`. */
const countAttempted = (statuses: readonly ContainerStatus[]): number => Math.max(1, statuses.findLastIndex(hasLeftWaiting) + 1);

/** Whether a container does not wait, or waits after it has ended. */
const hasLeftWaiting = ({ state, lastState }: ContainerStatus): boolean => !!lastState?.terminated || !state?.waiting;

/** Whether the pod's status, as the kubelet last received it, shows that regular containers were allowed to start. Mirrors `hasPodInitialized`. */
function hasInitialized(pod: KubeletPod): boolean {
  const containers = initContainersOf(pod);
  if (containers.length === 0 || pod.status?.containerStatuses?.some(hasLeftWaiting)) return true;
  const statuses = pod.status?.initContainerStatuses ?? [];
  const last = statuses.at(-1);
  const container = containers[statuses.length - 1];
  if (!last || !container || container.name !== last.name) return false;
  if (isSidecar(container)) return !!last.state?.running && !!last.started;
  return [last.state?.terminated, last.lastState?.terminated].some((ended) => !!ended && (ended.exitCode ?? 0) === 0);
}
