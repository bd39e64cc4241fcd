import { type ActionsInput, type ContainerToReset, createActions, type DraftActions, type KillReason, type PodActions } from './actions.ts';
import { isContainerChanged } from './container-hash.ts';
import { planInitContainers } from './init-actions.ts';
import { containersOf, ephemeralContainersOf, initContainersOf, type KubeletContainer } from './pod.ts';
import { arePodResourcesChanged, planResize } from './resize.ts';
import {
  isPodRestartedOnFailure,
  isRestartedAfterProbeFailure,
  isRunOnce,
  restartsAll,
  shouldContainerBeRestarted,
} from './restart-policy.ts';
import { findContainer, hasAnyRegularContainerCreated, type RuntimeContainer } from './runtime-status.ts';
import { decideSandbox } from './sandbox.ts';

/**
 * Decides which sandbox and containers the kubelet kills and starts in one sync. `planSync` has their order. Mirrors `computePodActions` (1.36,
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go), with the feature gates at their defaults.
 */
export function computePodActions(input: ActionsInput): PodActions {
  const { pod, status } = input;
  const { changed, attempt, sandboxID } = decideSandbox(pod, status);
  const actions = createActions(sandboxID, attempt);
  actions.killPod = changed;
  actions.createSandbox = changed;
  if (input.restartAllContainers) actions.containersToReset = listContainersToReset(input);
  else if (changed) planNewSandbox(input, actions);
  else planContainers(input, actions);
  return actions;
}

/** Starts a pod from the beginning in a new sandbox, unless it has ended. */
function planNewSandbox({ pod, status }: ActionsInput, actions: DraftActions): void {
  const hasEnded = !isPodRestartedOnFailure(pod) && actions.attempt !== 0 && status.containers.length > 0;
  const toStart = [...containersOf(pod).entries()]
    .filter(([, container]) => !isRunOnce(container, pod) || !hasSucceeded(findContainer(status, container)))
    .map(([index]) => index);
  if (hasEnded || (toStart.length === 0 && hasAnyRegularContainerCreated(pod, status))) actions.createSandbox = false;
  else if (initContainersOf(pod).length > 0) actions.initContainersToStart = [0];
  else actions.containersToStart = toStart;
}

const hasSucceeded = (existing: RuntimeContainer | undefined): boolean => existing?.state === 'exited' && (existing.exitCode ?? 0) === 0;

/** Plans the containers of a pod with a usable sandbox. */
function planContainers(input: ActionsInput, actions: DraftActions): void {
  const { pod, status } = input;
  actions.ephemeralContainersToStart = [...ephemeralContainersOf(pod).entries()]
    .filter(([, container]) => !findContainer(status, container))
    .map(([index]) => index);
  const isInitialized = planInitContainers(input, actions);
  if (actions.killPod || !isInitialized) return;
  const kept = [...containersOf(pod).entries()].filter(([index, container]) => planContainer(input, container, index, actions));
  if (kept.length === 0 && actions.containersToStart.length === 0) {
    actions.killPod = true;
    // Sidecars alone do not keep a pod alive.
    actions.initContainersToStart = [];
  }
  actions.updatePodLevelResources = arePodResourcesChanged(input);
}

/** Plans one regular container, and returns whether it is kept as it is. */
function planContainer(input: ActionsInput, container: KubeletContainer, index: number, actions: DraftActions): boolean {
  const { pod, status } = input;
  const existing = findContainer(status, container);
  if (existing?.state !== 'running') {
    if (!shouldContainerBeRestarted(container, pod, status)) return false;
    actions.containersToStart.push(index);
    // It may be running.
    if (existing?.state === 'unknown') kill(actions, existing, 'Container is in "unknown" state, try killing it before restart', 'Unknown');
    return false;
  }
  const problem = findProblem(input, container, existing);
  if (problem) {
    if (problem.restarts) actions.containersToStart.push(index);
    const message = `Container ${container.name} ${problem.text}${problem.restarts ? ', will be restarted' : ''}`;
    kill(actions, existing, message, problem.reason);
    return false;
  }
  const isRestarted = planResize(input, container, existing, actions);
  if (isRestarted) actions.containersToStart.push(index);
  return !isRestarted;
}

interface ContainerProblem {
  readonly text: string;
  readonly restarts: boolean;
  readonly reason?: KillReason;
}

/** Returns why a running container is killed; undefined if it is kept. A changed image kills it whether or not the pod is ready. */
function findProblem(
  { pod, liveness, startup }: ActionsInput,
  container: KubeletContainer,
  running: RuntimeContainer,
): ContainerProblem | undefined {
  const restarts = isRestartedAfterProbeFailure(container, pod);
  if (isContainerChanged(container, running)) return { text: 'definition changed', restarts: true };
  if (liveness?.[running.id] === 'failure') return { text: 'failed liveness probe', restarts, reason: 'LivenessProbe' };
  if (startup?.[running.id] === 'failure') return { text: 'failed startup probe', restarts, reason: 'StartupProbe' };
  return undefined;
}

function kill(actions: DraftActions, { id, name }: RuntimeContainer, message: string, reason?: KillReason): void {
  actions.containersToKill.push({ id, name, message, ...(reason && { reason }) });
}

/**
 * All containers of the runtime that belong to the spec, in the order in which they are removed: containers whose end caused the restart come
 * last. Mirrors `getContainersToReset` (1.36).
 */
function listContainersToReset({ pod, status }: ActionsInput): ContainerToReset[] {
  const list = (containers: readonly KubeletContainer[], areSources: boolean): ContainerToReset[] =>
    containers.flatMap((container) =>
      status.containers
        .filter(({ name }) => name === (container.name ?? ''))
        .filter(({ state, exitCode }) => (state === 'exited' && restartsAll(container, exitCode)) === areSources)
        .map(({ id, name, state }) => ({ id, name, kill: state !== 'exited' })),
    );
  const [regular, init] = [containersOf(pod), initContainersOf(pod)];
  return [...list(regular, false), ...list(init, false), ...list(regular, true), ...list(init, true)];
}
