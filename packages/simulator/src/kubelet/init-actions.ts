import { isSidecar } from 'kube-endpoints/internal';
import type { ActionsInput, DraftActions, KillReason } from './actions.ts';
import { isContainerChanged } from './container-hash.ts';
import { containersOf, initContainersOf, type KubeletContainer } from './pod.ts';
import { planResize } from './resize.ts';
import { isRestartedAfterProbeFailure, shouldContainerBeRestarted } from './restart-policy.ts';
import { findContainer, type RuntimeContainer } from './runtime-status.ts';

/**
 * Plans the init containers: starts the next one, restarts sidecars, and kills the pod if an init container has failed for good. Goes from the
 * last to the first, because the runtime may have removed earlier ones. Mirrors `computeInitContainerActions` (1.36,
 * pkg/kubelet/kuberuntime/kuberuntime_container.go).
 * @returns whether the pod is initialized
 */
export function planInitContainers(input: ActionsInput, actions: DraftActions): boolean {
  const { pod, status } = input;
  const containers = initContainersOf(pod);
  if (containers.length === 0) return true;
  let initialized = containersOf(pod).some((container) => ['created', 'running'].includes(findContainer(status, container)?.state ?? ''));
  let nextWasStarted = initialized;
  const toStart: number[] = [];
  for (const [index, container] of [...containers.entries()].reverse()) {
    const existing = findContainer(status, container);
    const isSkipped = nextWasStarted && !isSidecar(container);
    if (!existing && nextWasStarted && !isSkipped) toStart.push(index);
    if (!existing || isSkipped) continue;
    const plan = planInitContainer({ ...input, container, existing }, actions);
    if (plan.fails) return failPod(actions);
    if (plan.isDone && index === containers.length - 1) initialized = true;
    else if (plan.isDone && !nextWasStarted) toStart.push(index + 1);
    if (plan.starts) toStart.push(index);
    nextWasStarted = true;
  }
  if (!nextWasStarted) toStart.push(0);
  actions.initContainersToStart = toStart.reverse();
  return initialized;
}

interface InitContainerInput extends ActionsInput {
  readonly container: KubeletContainer;
  readonly existing: RuntimeContainer;
}

/** What one init container causes. */
interface InitPlan {
  /** It is started, again. */
  readonly starts?: boolean;
  /** It has done its part: the next one may start. */
  readonly isDone?: boolean;
  /** It failed and is not restarted: the pod has failed. */
  readonly fails?: boolean;
}

function failPod(actions: DraftActions): false {
  actions.killPod = true;
  actions.initContainersToStart = [];
  return false;
}

function planInitContainer(input: InitContainerInput, actions: DraftActions): InitPlan {
  const { existing, container } = input;
  switch (existing.state) {
    case 'created':
      return { starts: true };
    case 'running':
      return isSidecar(container) ? planRunningSidecar(input, actions) : { starts: planResize(input, container, existing, actions) };
    case 'exited':
      return planExited(input);
    case 'unknown':
      return planUnknown(input, actions);
  }
}

function planExited({ container, existing, pod, status }: InitContainerInput): InitPlan {
  if (isSidecar(container)) return { starts: true };
  const failed = existing.reason === 'OOMKilled' || (existing.exitCode ?? 0) !== 0;
  if (!failed) return { isDone: true };
  return shouldContainerBeRestarted(container, pod, status) ? { starts: true } : { fails: true };
}

function planUnknown({ container, existing, pod }: InitContainerInput, actions: DraftActions): InitPlan {
  if (!isSidecar(container) && !isRestartedAfterProbeFailure(container, pod)) return { fails: true };
  kill(actions, container, existing, 'is in "unknown" state, try killing it before restart', 'Unknown');
  return { starts: true };
}

function planRunningSidecar(input: InitContainerInput, actions: DraftActions): InitPlan {
  const { container, existing, startup, liveness } = input;
  if (container.startupProbe) {
    const result = startup?.[existing.id];
    if (result === 'failure') kill(actions, container, existing, `${container.name} failed startup probe`, 'StartupProbe');
    if (result !== 'success') return { starts: result === 'failure' };
  }
  if (isContainerChanged(container, existing)) {
    kill(actions, container, existing, `${container.name} definition changed`);
    return { starts: true, isDone: true };
  }
  if (container.livenessProbe) {
    const result = liveness?.[existing.id];
    if (result === 'failure') kill(actions, container, existing, `${container.name} failed liveness probe`, 'LivenessProbe');
    if (result === 'failure' || !result) return { starts: result === 'failure', isDone: true };
  }
  return { starts: planResize(input, container, existing, actions), isDone: true };
}

function kill(actions: DraftActions, { name }: KubeletContainer, { id }: RuntimeContainer, message: string, reason?: KillReason): void {
  actions.containersToKill.push({ id, name: name ?? '', message: `Init container ${message}`, ...(reason && { reason }) });
}
