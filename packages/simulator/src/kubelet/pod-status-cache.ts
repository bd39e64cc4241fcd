import { isTerminalPhase } from 'kube-endpoints/internal';
import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import { computeConditions, mergeStatus, recordStatus } from 'kube-endpoints/readiness';
import type { ContainerStatus, PodCondition, PodStatus } from 'kube-endpoints/types';
import type { KubeletPod } from './pod.ts';
import { isKubeletStatusEqual } from './pod-status-equal.ts';
import { terminateStatus } from './terminate-status.ts';

/** The kubelet compares and writes the statuses of all pods this often, in milliseconds. */
export const statusSyncPeriod = 10_000;

/**
 * The kubelet's status of one pod, and whether the API server has it. Mirrors `manager` (1.36, pkg/kubelet/status/status_manager.go), without
 * static pods, resize conditions, and the limit of termination messages.
 *
 * If a method that changes the status returns true, the kubelet syncs the statuses of all pods at once (`startSync` with `periodic` false). For
 * each pod with a sync, it reads the pod from the API server, writes the result of `merge`, and deletes the pod if `confirm` says so. It
 * repeats none of these calls if one fails: the status is written by the next sync.
 */
export interface PodStatusCache {
  readonly status: PodStatus | undefined;
  /** Stores a generated status, unless it is not allowed to follow the current one. The pod is the kubelet's last version of it. */
  set(pod: KubeletPod, status: PodStatus): boolean;
  /** Stores the result of a readiness probe. */
  setContainerReadiness(pod: KubeletPod, containerID: string, ready: boolean): boolean;
  /** Stores the result of a startup probe. */
  setContainerStartup(pod: KubeletPod, containerID: string, started: boolean): boolean;
  /** Stores the last status of a pod that is cleaned up: see `terminateStatus`. */
  terminate(pod: KubeletPod): boolean;
  /**
   * Returns whether a sync concerns this pod: its status is not written yet, or, in a periodic sync, differs from that of the kubelet's version of
   * the pod (undefined if the kubelet has none), or the pod has to be deleted.
   */
  startSync(pod: KubeletPod | undefined, periodic: boolean): boolean;
  /** The status to write to the API server, or undefined if the stored pod already has it. */
  merge(stored: KubeletPod, couldHaveRunningContainers: boolean): PodStatus | undefined;
  /** Handles a successful write, or that none was needed. Returns whether the stored pod has to be deleted, without a grace period. */
  confirm(stored: KubeletPod): boolean;
  /** Forgets the status: the pod was deleted, or replaced by one with another UID. */
  forget(): void;
}

export interface PodStatusCacheOptions {
  /** Milliseconds since the epoch. */
  now(): number;
}

interface CacheMemory {
  status?: PodStatus | undefined;
  /** Grows with each change. */
  version: number;
  /** The version that the API server has. */
  written: number;
  /** Whether the pod is cleaned up. */
  isFinished: boolean;
}

export function createPodStatusCache({ now }: PodStatusCacheOptions): PodStatusCache {
  const memory: CacheMemory = { version: 0, written: 0, isFinished: false };
  const time = (): string => new Date(now()).toISOString();
  return {
    get status() {
      return memory.status;
    },
    set(pod, status) {
      const generation = pod.metadata?.generation ?? 0;
      const { observedGeneration: _previous, ...rest } = status;
      const observed = generation > 0 ? { ...rest, observedGeneration: generation } : rest;
      return store(memory, pod, observed, time(), !!pod.metadata?.deletionTimestamp);
    },
    setContainerReadiness: (pod, containerID, ready) =>
      changeContainer(memory, containerID, { ready }, (status) =>
        store(memory, pod, withReadiness(pod, memory.status ?? {}, status), time()),
      ),
    setContainerStartup: (pod, containerID, started) =>
      changeContainer(memory, containerID, { started }, (status) => store(memory, pod, status, time())),
    terminate(pod) {
      const isStored = store(memory, pod, terminateStatus(pod, memory.status ?? pod.status ?? {}), time(), true);
      if (isStored) memory.isFinished = true;
      return isStored;
    },
    startSync: (pod, periodic) => startSync(memory, pod, periodic),
    merge(stored, running) {
      const merged = mergeStatus({ pod: stored, status: memory.status ?? {}, running, now: time() });
      return semanticEqual(merged, stored.status) ? undefined : merged;
    },
    confirm(stored) {
      memory.written = memory.version;
      return canBeDeleted(stored, memory.isFinished);
    },
    forget() {
      Object.assign(memory, { status: undefined, version: 0, isFinished: false });
    },
  };
}

/**
 * Whether a pod that was deleted gracefully has to be removed: the API server has its terminal phase, and the node has cleaned up after it. Mirrors
 * `canBeDeleted` (1.36, pkg/kubelet/status/status_manager.go).
 */
export const canBeDeleted = ({ metadata, status }: KubeletPod, isFinished: boolean): boolean =>
  !!metadata?.deletionTimestamp && isTerminalPhase(status?.phase) && isFinished;

/** Stores a status if it is allowed and, unless forced, changes something. Mirrors `updateStatusInternal`. */
function store(memory: CacheMemory, pod: KubeletPod, status: PodStatus, now: string, force = false): boolean {
  const recorded = recordStatus({ pod, previousStatus: memory.status ?? pod.status ?? {}, status, now });
  if (recorded.refused !== undefined) return false;
  if (memory.status && !force && isKubeletStatusEqual(memory.status, recorded.status)) return false;
  memory.status = recorded.status;
  memory.version++;
  return true;
}

/** Changes the status of a container if it has another value. */
function changeContainer(
  memory: CacheMemory,
  containerID: string,
  change: Partial<ContainerStatus>,
  storeStatus: (status: PodStatus) => boolean,
): boolean {
  if (!memory.status) return false;
  for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
    const statuses = memory.status[field] ?? [];
    const index = statuses.findIndex((container) => (container.containerID ?? '') === containerID);
    const existing = statuses[index];
    if (!existing) continue;
    if (semanticEqual({ ...existing, ...change }, existing)) return false;
    return storeStatus({ ...memory.status, [field]: statuses.with(index, { ...existing, ...change }) });
  }
  return false;
}

/** Sets the conditions Ready and ContainersReady of a status. */
function withReadiness(pod: KubeletPod, previousStatus: PodStatus, status: PodStatus): PodStatus {
  const former = status.conditions ?? [];
  const generated = computeConditions(pod, { observed: status, conditions: former, previousStatus });
  const conditions = [...former];
  for (const type of ['Ready', 'ContainersReady']) {
    const condition = generated.find((each) => each.type === type) as PodCondition;
    const index = conditions.findIndex((each) => each.type === type);
    conditions[index < 0 ? conditions.length : index] = condition;
  }
  return { ...status, conditions };
}

/** Mirrors the choice of pods in `syncBatch`. */
function startSync(memory: CacheMemory, pod: KubeletPod | undefined, periodic: boolean): boolean {
  if (!memory.status) {
    if (periodic) memory.written = 0;
    return false;
  }
  if (memory.written < memory.version) return true;
  if (!periodic || !pod) return false;
  if (canBeDeleted(pod, memory.isFinished)) return true;
  if (isKubeletStatusEqual(pod.status ?? {}, memory.status)) return false;
  memory.written = 0;
  return true;
}
