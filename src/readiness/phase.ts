import type { Container, ContainerStateTerminated, ContainerStatus, Pod } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { hasStarted, isRestarted, isSidecar, kindOf, type ObservedStatus, statusOf } from './statuses.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export interface PhaseOptions extends ReadinessVersion {
  /** The container statuses that the kubelet observes; by default those in the pod's status. */
  readonly observed?: ObservedStatus | undefined;
  /** Whether the kubelet knows that no container of the pod will run again: all have ended after its deletion or eviction. */
  readonly finished?: boolean | undefined;
  /**
   * Whether the runtime has a regular (not init) container of the pod in its current sandbox. By default, whether such a container
   * runs, has ended, or waits after it has ended.
   */
  readonly initialized?: boolean | undefined;
}

/**
 * Derives the phase from the containers, as a release's kubelet does. `generateStatus` also considers whether the pod had ended before.
 * Mirrors `getPhase`.
 * @throws RangeError for an unknown version
 */
export const podPhase = (pod: Pod, options: PhaseOptions = {}): PodPhase => computePhase(pod, readinessSettings(options), options);

export function computePhase(pod: Pod, settings: ReadinessSettings, options: PhaseOptions): PodPhase {
  const { containerStatuses, initContainerStatuses } = options.observed ?? pod.status ?? {};
  const statuses = [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])];
  const counts = countContainers(pod, statuses, settings);
  if (counts.failedInit > 0) return 'Failed';
  const hasPendingSidecars = counts.pendingSidecars > 0 && !wasInitialized(pod, statuses, settings, options);
  const hasPendingInit =
    counts.pendingInit > 0 && (settings.initContainersAlwaysAwaited || !wasInitialized(pod, statuses, settings, options));
  if (hasPendingInit || hasPendingSidecars || counts.waiting > 0 || counts.unknown > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  return counts.stopped > 0 ? computeStoppedPhase(pod, counts, settings, !!options.finished) : 'Pending';
}

/** Counts of containers by state. */
interface ContainerCounts {
  pendingInit: number;
  pendingSidecars: number;
  /** Init containers that failed and are not restarted. */
  failedInit: number;
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  /** Stopped containers that ended with code 0, except those that wait to be restarted. */
  succeeded: number;
  /** Stopped containers that will be restarted. Counted only if containers have their own restart policies (`restartRules`). */
  restarted: number;
}

type ContainerCounter = (
  container: Container,
  status: ContainerStatus | undefined,
  pod: Pod,
  settings: ReadinessSettings,
  count: ContainerCounts,
) => void;

function countContainers(pod: Pod, statuses: readonly ContainerStatus[], settings: ReadinessSettings): ContainerCounts {
  const counts: ContainerCounts = {
    pendingInit: 0,
    pendingSidecars: 0,
    failedInit: 0,
    unknown: 0,
    running: 0,
    waiting: 0,
    stopped: 0,
    succeeded: 0,
    restarted: 0,
  };
  const add = (containers: readonly Container[], counter: ContainerCounter): void => {
    for (const container of containers) counter(container, statusOf(statuses, container), pod, settings, counts);
  };
  const initContainers = pod.spec?.initContainers ?? [];
  const isRestartable = (container: Container): boolean => settings.sidecars && isSidecar(container);
  const sidecars = initContainers.filter(isRestartable);
  add(
    initContainers.filter((container) => !isRestartable(container)),
    countInit,
  );
  add(sidecars, countSidecar);
  add(pod.spec?.containers ?? [], countRegular);
  return counts;
}

const countInit: ContainerCounter = (container, status, pod, settings, count) => {
  const kind = kindOf(status?.state);
  const termination = terminationOf(status);
  if (kind === 'running' || !termination) count.pendingInit++;
  else if ((termination.exitCode ?? 0) !== 0 && isNeverRestarted(container, pod, termination, settings)) count.failedInit++;
};

/** Counts a sidecar, unless it has ended. */
const countSidecar: ContainerCounter = (_container, status, _pod, _settings, count) => {
  const kind = kindOf(status?.state);
  if (!status) count.unknown++;
  else if (kind === 'running') {
    if (!status.started) count.pendingSidecars++;
    count.running++;
  } else if (!terminationOf(status)) {
    count.pendingSidecars++;
    count[kind === 'waiting' ? 'waiting' : 'unknown']++;
  }
};

const countRegular: ContainerCounter = (container, status, pod, settings, count) => {
  const kind = kindOf(status?.state);
  const termination = terminationOf(status);
  if (kind === 'running') count.running++;
  else if (termination) {
    count.stopped++;
    if (settings.restartRules && !isNeverRestarted(container, pod, termination, settings)) count.restarted++;
    if (kind === 'terminated' && (termination.exitCode ?? 0) === 0) count.succeeded++;
  } else count[kind === 'waiting' ? 'waiting' : 'unknown']++;
};

/** Returns the termination of a container that has ended, or the last termination of a waiting one; undefined if it runs or never ended. */
function terminationOf(status: ContainerStatus | undefined): ContainerStateTerminated | undefined {
  const kind = kindOf(status?.state);
  if (kind === 'terminated') return status?.state?.terminated ?? undefined;
  return kind === 'waiting' ? (status?.lastState?.terminated ?? undefined) : undefined;
}

function isNeverRestarted(
  container: Container,
  pod: Pod,
  { exitCode, reason }: ContainerStateTerminated,
  settings: ReadinessSettings,
): boolean {
  if (!settings.restartRules) return pod.spec?.restartPolicy === 'Never';
  if (settings.initializedRemembered && reason === 'RestartingAllContainers') return false;
  return !isRestarted(container, pod, exitCode ?? 0, settings);
}

function wasInitialized(
  pod: Pod,
  statuses: readonly ContainerStatus[],
  settings: ReadinessSettings,
  { initialized }: PhaseOptions,
): boolean {
  if (!settings.sidecars) return false;
  const containers = pod.spec?.containers ?? [];
  if (!settings.initializedFromRuntime) return hasStarted(containers, statuses);
  const wasRunning = (container: Container): boolean => {
    const status = statusOf(statuses, container);
    return kindOf(status?.state) === 'running' || terminationOf(status) !== undefined;
  };
  return initialized ?? containers.some(wasRunning);
}

function computeStoppedPhase(
  pod: Pod,
  { stopped, succeeded, restarted }: ContainerCounts,
  settings: ReadinessSettings,
  finished: boolean,
): PodPhase {
  const endPhase = stopped === succeeded ? 'Succeeded' : 'Failed';
  if (finished && settings.finishedPodsTerminal && !isStatic(pod)) return endPhase;
  if (settings.restartRules) return restarted > 0 ? 'Running' : endPhase;
  const policy = pod.spec?.restartPolicy;
  if (policy === 'Always') return 'Running';
  return endPhase === 'Succeeded' || policy === 'Never' ? endPhase : 'Running';
}

/** Whether the kubelet got the pod from a source other than the API server. Mirrors `IsStaticPod`. */
export function isStatic({ metadata }: Pod): boolean {
  const annotations = metadata?.annotations;
  return !!annotations && Object.hasOwn(annotations, sourceAnnotation) && annotations[sourceAnnotation] !== 'api';
}

const sourceAnnotation = 'kubernetes.io/config.source';
