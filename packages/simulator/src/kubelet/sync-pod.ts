import { isSidecar } from 'kube-endpoints/internal';
import type { ActionsInput, ContainerToKill, PodActions } from './actions.ts';
import { containersOf, ephemeralContainersOf, initContainersOf, type KubeletContainer } from './pod.ts';
import { computePodActions } from './pod-actions.ts';

/** One call of the container runtime in a sync. */
export type SyncStep =
  /** Kills all running containers and stops the sandboxes: see `killPod`. */
  | { readonly do: 'killPod' }
  /** See `killContainer`; without grace if all containers are restarted in place. */
  | { readonly do: 'killContainer'; readonly container: ContainerToKill; readonly gracePeriodOverride?: number }
  | { readonly do: 'removeContainer'; readonly id: string }
  | { readonly do: 'createSandbox'; readonly attempt: number }
  /** Checks the back-off, makes sure of the image, and creates and starts the container. */
  | { readonly do: 'startContainer'; readonly container: KubeletContainer; readonly type: 'ephemeral' | 'init' | 'regular' }
  /** Changes the resources of running containers and of the pod, in `actions.containersToUpdate`'s order. */
  | { readonly do: 'resize'; readonly actions: PodActions };

/** Yields the steps of a sync. The caller answers each with whether it succeeded, which decides about later steps. */
export type SyncSteps = Generator<SyncStep, void, boolean>;

/**
 * Brings a pod to its desired state, in this order: kills the pod, or single containers; removes old init containers; creates a sandbox; starts
 * ephemeral and init containers; resizes; starts regular containers. Mirrors `SyncPod` (1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 */
export function* syncPod(input: ActionsInput): SyncSteps {
  const { pod } = input;
  const actions = computePodActions(input);
  if (actions.killPod) {
    if (!(yield { do: 'killPod' })) return;
  } else if (!(yield* killContainers(actions))) return;
  for (const id of listInitContainersToRemove(input, actions)) yield { do: 'removeContainer', id };
  if (actions.createSandbox && !(yield { do: 'createSandbox', attempt: actions.attempt })) return;
  for (const index of actions.ephemeralContainersToStart) yield start(ephemeralContainersOf(pod)[index], 'ephemeral');
  for (const index of actions.initContainersToStart) {
    const container = initContainersOf(pod)[index];
    const isStarted = yield start(container, 'init');
    // A sidecar that fails to start does not keep later containers from starting.
    if (!isStarted && !(container && isSidecar(container))) return;
  }
  const { containersToUpdate, updatePodResources, updatePodLevelResources } = actions;
  if (Object.keys(containersToUpdate).length > 0 || updatePodResources || updatePodLevelResources) yield { do: 'resize', actions };
  for (const index of actions.containersToStart) yield start(containersOf(pod)[index], 'regular');
}

const start = (container: KubeletContainer | undefined, type: 'ephemeral' | 'init' | 'regular'): SyncStep => ({
  do: 'startContainer',
  container: container ?? {},
  type,
});

/** Kills single containers, and kills and removes those that are restarted in place. Returns whether all of it succeeded. */
function* killContainers({ containersToKill, containersToReset }: PodActions): Generator<SyncStep, boolean, boolean> {
  for (const container of containersToKill) if (!(yield { do: 'killContainer', container })) return false;
  for (const { id, name, kill } of containersToReset) {
    const container = { id, name, message: 'killing', reason: 'RestartAllContainers' } as const;
    if (kill && !(yield { do: 'killContainer', container, gracePeriodOverride: 0 })) return false;
    if (!(yield { do: 'removeContainer', id })) return false;
  }
  return true;
}

/**
 * All init containers if the sandbox is replaced; otherwise those that have ended, except the newest of each name. Mirrors `purgeInitContainers` and
 * `pruneInitContainersBeforeStart` (1.36, pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
function listInitContainersToRemove({ pod, status }: ActionsInput, { killPod, createSandbox, containersToReset }: PodActions): string[] {
  const removed = new Set(containersToReset.map(({ id }) => id));
  return initContainersOf(pod).flatMap(({ name }) => {
    const existing = status.containers.filter((container) => container.name === (name ?? ''));
    if (killPod && createSandbox) return existing.map(({ id }) => id);
    const ended = existing.filter(({ state }) => state === 'exited' || state === 'unknown').slice(1);
    return ended.map(({ id }) => id).filter((id) => !removed.has(id));
  });
}
