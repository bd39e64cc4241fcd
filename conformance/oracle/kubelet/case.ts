import type {
  ActionsInput,
  ImageRequest,
  KillReason,
  KubeletContainer,
  KubeletPod,
  PodUpdate,
  RuntimeStatus,
  ShutdownConfig,
  StopBehaviour,
} from '@kube-endpoints/simulator/internal';
import type { PodStatus } from 'kube-endpoints/types';

/** The program's modes, each of which runs one part of the kubelet. */
export const kubeletModes = ['actions', 'sync', 'restart', 'pull', 'kill', 'worker', 'status', 'shutdown', 'termination'] as const;
export type KubeletMode = (typeof kubeletModes)[number];

/** A case of each mode. */
export interface KubeletCases {
  readonly actions: ActionsCase;
  readonly sync: SyncCase;
  readonly restart: RestartCase;
  readonly pull: PullCase;
  readonly kill: KillCase;
  readonly worker: WorkerCase;
  readonly status: StatusCase;
  readonly shutdown: ShutdownCase;
  readonly termination: TerminationCase;
}

export interface ActionsCase extends Omit<ActionsInput, 'status'> {
  readonly id: string;
  readonly runtime: ActionsInput['status'];
}

export interface SyncCase extends ActionsCase {
  /** Names of containers that the runtime cannot create, and "sandbox". */
  readonly failing: readonly string[];
  /** Names of containers that were started five times in a row. */
  readonly crashing: readonly string[];
}

/** Times are in milliseconds since the start of the case. */
export interface RestartCase {
  readonly id: string;
  readonly pod: KubeletPod;
  readonly maxRestartPeriod: number;
  readonly attempts: readonly {
    readonly at: number;
    readonly container: KubeletContainer;
    readonly finishedAt?: number;
    readonly collect: boolean;
  }[];
}

export interface PullCase {
  readonly id: string;
  readonly attempts: readonly {
    readonly at: number;
    readonly uid: string;
    readonly image: string;
    readonly policy: ImageRequest['policy'];
    readonly fail?: string;
    readonly remove: boolean;
  }[];
}

export interface KillCase {
  readonly id: string;
  readonly pod: KubeletPod;
  readonly runtime: RuntimeStatus;
  readonly override?: number;
  /** Absent if the whole pod is killed. */
  readonly container?: { readonly id: string; readonly name: string; readonly message: string; readonly reason: KillReason };
  /** By container ID without the name of the runtime. */
  readonly behaviours: Readonly<Record<string, StopBehaviour>>;
}

/** Times and durations are in milliseconds. */
export interface WorkerCase {
  readonly id: string;
  readonly updates: readonly {
    readonly at: number;
    /** "known" and "forget": the kubelet cleans up, and the pod is or is not in its configuration. */
    readonly type: PodUpdate['type'] | 'known' | 'forget';
    readonly pod?: KubeletPod;
    readonly kill?: { readonly evict: boolean; readonly gracePeriodSeconds?: number };
  }[];
  /** The syncs of the pod, in order; later ones succeed at once. */
  readonly syncs: readonly {
    readonly duration: number;
    readonly result: 'ok' | 'terminal' | 'error' | 'network' | 'backOff';
    readonly backOff: number;
    /** Whether the sync ignores its cancellation. */
    readonly stubborn: boolean;
  }[];
  readonly running: boolean;
}

export interface StatusCase {
  readonly id: string;
  readonly pod: KubeletPod;
  readonly events: readonly StatusEvent[];
}

export interface StatusEvent {
  /** Milliseconds since the start. */
  readonly at: number;
  /**
   * "set", "ready", "started" and "terminate" are calls by the kubelet. "change" replaces the pod in the API server, without `pod` removes it, and
   * "delete" deletes it gracefully. "watch" shows the kubelet the pod in the API server. "fail" makes the next calls of the API server fail.
   */
  readonly do: 'set' | 'ready' | 'started' | 'terminate' | 'change' | 'delete' | 'watch' | 'fail';
  readonly status?: PodStatus;
  readonly container?: string;
  readonly value?: boolean;
  readonly pod?: KubeletPod;
  readonly calls?: number;
  /** Whether containers of the pod may run from now on. */
  readonly running: boolean;
}

/** Durations are in milliseconds. */
export interface ShutdownCase extends Required<ShutdownConfig> {
  readonly id: string;
  /** How long it takes to unmount the volumes of a group. */
  readonly unmountDelay: number;
  readonly pods: readonly { readonly pod: KubeletPod; readonly endsAfter: number }[];
}

/** Durations are in milliseconds. */
export interface TerminationCase {
  readonly id: string;
  /** In seconds. */
  readonly gracePeriod?: number;
  /** The steps that fail, and "end" if a container does not end. */
  readonly failing: readonly string[];
  /** Whether the runtime no longer has the pod after the kill. */
  readonly removed: boolean;
  readonly killLasts: number;
  readonly volumesExist: number;
}

export type KubeletCase = KubeletCases[KubeletMode];

export interface KubeletAnswer {
  readonly id: string;
  readonly [field: string]: unknown;
}
