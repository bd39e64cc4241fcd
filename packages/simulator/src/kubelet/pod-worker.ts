import { effectiveGracePeriod } from './grace-period.ts';
import type { KubeletPod } from './pod.ts';
import { isRuntimeTerminal, type RuntimeStatus } from './runtime-status.ts';

/** A change that the kubelet hands to the worker of a pod. */
export interface PodUpdate {
  /** "kill" is an eviction, a preemption or the shutdown of the node. */
  readonly type: 'create' | 'update' | 'sync' | 'kill';
  readonly pod: KubeletPod;
  readonly kill?: KillRequest;
  /** The status of the container runtime: required for the first update only. */
  readonly runtime?: RuntimeStatus;
}

export interface KillRequest {
  readonly evict?: boolean;
  readonly gracePeriodSeconds?: number;
}

/** What a worker does next: it runs one sync at a time. */
export interface PodWork {
  /** Terminating stops the containers, and terminated cleans up after them. */
  readonly do: 'sync' | 'terminating' | 'terminated';
  readonly type: PodUpdate['type'];
  readonly pod: KubeletPod;
  /** The grace period of all containers in seconds; absent if the pod ended by itself: then each container has its own. */
  readonly gracePeriod?: number;
}

/** What follows from an event. */
export interface WorkerStep {
  /**
   * Whether the running sync is cancelled. The kubelet's own sync ends with the result "cancelled"; its terminating sync ignores it, so that a
   * shorter grace period takes effect only if the running kill fails.
   */
  readonly cancel?: boolean;
  /** The sync to run now, with a runtime status that is newer than the last sync: the kubelet reads it every second. */
  readonly work?: PodWork;
  /** When the kubelet updates the pod again, with the type "sync", if nothing else happens. */
  readonly requeue?: Requeue;
  /** Whether the worker is removed: the next update of the pod creates another one. */
  readonly removed?: boolean;
}

export interface Requeue {
  /** In milliseconds. */
  readonly delay: number;
  /** The delay grows by a random share of itself, up to this factor. */
  readonly jitter: number;
}

/** How a sync ended. */
export type SyncResult =
  /** `terminal`: the pod has ended by itself. */
  | { readonly result: 'done'; readonly terminal?: boolean }
  | { readonly result: 'cancelled' }
  /** `backOffUntil`: when the first container may start that waits for the end of its back-off, in milliseconds since the epoch. */
  | { readonly result: 'failed'; readonly networkNotReady?: boolean; readonly backOffUntil?: number };

/** The worker of one pod that is not static. Mirrors `podWorkers` (1.36, pkg/kubelet/pod_workers.go). */
export interface PodWorker {
  readonly state: Readonly<WorkerState>;
  update(update: PodUpdate): WorkerStep;
  /** Handles the end of the running sync. */
  finish(result: SyncResult): WorkerStep;
  /**
   * Handles the kubelet's periodic cleanup.
   * @param isKnown whether the pod still exists in the API
   */
  cleanUp(isKnown: boolean): WorkerStep;
}

export interface WorkerState {
  /** The pod has to stop. */
  terminationRequested: boolean;
  /** No more containers will be started. */
  startedTerminating: boolean;
  /** All containers have stopped. */
  terminated: boolean;
  /** Cleaned up: no more syncs. */
  finished: boolean;
  deleted: boolean;
  evicted: boolean;
  /** The pod was created again, with the same UID. */
  restartRequested: boolean;
  /** In seconds; 0 until termination is requested. */
  gracePeriod: number;
}

export interface PodWorkerOptions {
  now(): number;
  /** The kubelet's syncFrequency in milliseconds; by default 1 minute. */
  readonly resyncInterval?: number;
}

export function createPodWorker({ now, resyncInterval = 60_000 }: PodWorkerOptions): PodWorker {
  const memory: WorkerMemory = { state: createState(), isNew: true };
  return {
    state: memory.state,
    update: (update) => handleUpdate(memory, update),
    finish: (result) => handleEnd(memory, result, retryOf(result, resyncInterval, now())),
    cleanUp: (isKnown) => handleCleanUp(memory, isKnown),
  };
}

interface WorkerMemory {
  readonly state: WorkerState;
  /** Whether there was no update yet. */
  isNew: boolean;
  /** The next sync. A later update replaces it. */
  pending?: QueuedWork | undefined;
  /** The last sync that was started. */
  active?: QueuedWork;
  running?: PodWork | undefined;
}

type QueuedWork = Omit<PodWork, 'do'>;

const createState = (): WorkerState => ({
  terminationRequested: false,
  startedTerminating: false,
  terminated: false,
  finished: false,
  deleted: false,
  evicted: false,
  restartRequested: false,
  gracePeriod: 0,
});

/** Starts the pending sync unless one is running. */
function startWork(memory: WorkerMemory): WorkerStep {
  const { state, running, pending } = memory;
  if (running || !pending) return {};
  const work = { do: workOf(state), ...pending };
  Object.assign(memory, { active: pending, running: work, pending: undefined });
  if (work.do === 'terminating') state.startedTerminating = true;
  return { work };
}

/** Repeats the last sync if there is no other one. */
function repeatWork(memory: WorkerMemory): void {
  if (memory.active) memory.pending ??= { ...memory.active, type: 'sync' };
}

/** Mirrors `UpdatePod` (1.36, pkg/kubelet/pod_workers.go). */
function handleUpdate(memory: WorkerMemory, { type, pod, kill, runtime }: PodUpdate): WorkerStep {
  const { state, isNew } = memory;
  memory.isNew = false;
  // The kubelet was restarted after the pod had ended.
  if (isNew && hasEnded(pod) && runtime && isRuntimeTerminal(runtime))
    Object.assign(state, { terminationRequested: true, startedTerminating: true, terminated: true });
  if (!isNew && state.terminationRequested && type === 'create') {
    state.restartRequested = true;
    return {};
  }
  if (state.finished) return {};
  const becameTerminating = requestTermination(state, pod, type, kill);
  const former = state.gracePeriod;
  const isTerminating = state.terminationRequested && !state.terminated;
  if (isTerminating) state.gracePeriod = effectiveGracePeriod(pod, former, kill?.gracePeriodSeconds);
  memory.pending = { type, pod, ...(isTerminating && { gracePeriod: state.gracePeriod }) };
  const isShortened = former !== 0 && former !== state.gracePeriod;
  return memory.running ? { cancel: becameTerminating || isShortened } : startWork(memory);
}

/** Mirrors the end of a turn of `podWorkerLoop` (1.36, pkg/kubelet/pod_workers.go). */
function handleEnd(memory: WorkerMemory, result: SyncResult, retry: Requeue): WorkerStep {
  const { state } = memory;
  const work = memory.running?.do;
  memory.running = undefined;
  const isTransition = result.result === 'done' && (work !== 'sync' || !!result.terminal);
  if (!isTransition) return { requeue: retry, ...startWork(memory) };
  if (work === 'terminated') {
    state.finished = true;
    memory.pending = undefined;
    return {};
  }
  if (work === 'terminating') state.terminated = true;
  else Object.assign(state, { terminationRequested: true, startedTerminating: true });
  repeatWork(memory);
  return { requeue: { delay: 0, jitter: 0 }, ...startWork(memory) };
}

/** Mirrors `SyncKnownPods` (1.36, pkg/kubelet/pod_workers.go). */
function handleCleanUp(memory: WorkerMemory, isKnown: boolean): WorkerStep {
  const { state, active } = memory;
  if (isKnown && !state.restartRequested) return {};
  if (state.finished) return { removed: true };
  if (isKnown) return {};
  state.deleted = true;
  if (!state.terminationRequested) {
    state.terminationRequested = true;
    state.gracePeriod = active ? effectiveGracePeriod(active.pod, state.gracePeriod) : 1;
  }
  repeatWork(memory);
  return startWork(memory);
}

const workOf = ({ terminated, terminationRequested }: WorkerState): PodWork['do'] => {
  if (terminated) return 'terminated';
  return terminationRequested ? 'terminating' : 'sync';
};

const hasEnded = ({ status }: KubeletPod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Marks a pod that has to stop, and returns whether it did not have to before. */
function requestTermination(state: WorkerState, pod: KubeletPod, type: PodUpdate['type'], kill: KillRequest | undefined): boolean {
  if (state.terminationRequested) return false;
  const isDeleted = !!pod.metadata?.deletionTimestamp;
  if (isDeleted) state.deleted = true;
  else if (!hasEnded(pod) && type === 'kill' && kill?.evict) state.evicted = true;
  state.terminationRequested = isDeleted || hasEnded(pod) || type === 'kill';
  return state.terminationRequested;
}

/** Returns when a pod is synced again. Mirrors `completeWork` (1.36, pkg/kubelet/pod_workers.go). */
function retryOf(result: SyncResult, resyncInterval: number, now: number): Requeue {
  if (result.result === 'done') return { delay: resyncInterval, jitter: jitterFactor };
  if (result.result === 'failed' && result.networkNotReady) return { delay: transientBackOff, jitter: jitterFactor };
  const backOff = result.result === 'failed' && result.backOffUntil !== undefined ? result.backOffUntil - now : failureBackOff;
  return { delay: Math.min(Math.max(backOff, 0), resyncInterval), jitter: jitterFactor };
}

const jitterFactor = 0.5;
/** After a failed sync, in milliseconds. */
const failureBackOff = 10_000;
/** While the network of the node is not ready. */
const transientBackOff = 1000;
