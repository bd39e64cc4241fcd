import type { KubeletPod, Resources } from './pod.ts';
import type { RuntimeStatus } from './runtime-status.ts';

/** What `computePodActions` reads. */
export interface ActionsInput {
  readonly pod: KubeletPod;
  readonly status: RuntimeStatus;
  /** The last results of liveness probes by container ID. */
  readonly liveness?: Readonly<Record<string, StoredProbeResult>>;
  /** The last results of startup probes by container ID. */
  readonly startup?: Readonly<Record<string, StoredProbeResult>>;
  /** The resources that the kubelet has last applied; zero if absent. */
  readonly actuated?: ActuatedResources;
  /** Whether all containers are restarted in place: see `shouldAllContainersRestart`. */
  readonly restartAllContainers?: boolean;
}

export type StoredProbeResult = 'success' | 'failure' | 'unknown';

export interface ActuatedResources {
  readonly pod?: Resources;
  /** By container name. */
  readonly containers: Readonly<Record<string, Resources>>;
}

/** What the kubelet does for a pod in one sync. Mirrors `podActions` (1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export interface PodActions {
  /** Whether all running containers and the sandbox are stopped. */
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  /** The ID of the current sandbox, or empty. */
  readonly sandboxID: string;
  /** The attempt number of the sandbox. */
  readonly attempt: number;
  /** Indexes in the pod's init containers, in order. An index may be repeated. */
  readonly initContainersToStart: readonly number[];
  /** Indexes in the pod's containers, in order. */
  readonly containersToStart: readonly number[];
  /** Indexes in the pod's ephemeral containers, in order. */
  readonly ephemeralContainersToStart: readonly number[];
  /** The kubelet kills them one after another, in random order. */
  readonly containersToKill: readonly ContainerToKill[];
  /** Containers whose resources change while they run, in order, by resource: decreases first. */
  readonly containersToUpdate: Readonly<Partial<Record<ResizableResource, readonly ContainerToUpdate[]>>>;
  /** Containers to kill (if they run) and remove, in order, because all containers are restarted in place. */
  readonly containersToReset: readonly ContainerToReset[];
  /** Whether a change of resources restarts a container. */
  readonly updatePodResources: boolean;
  /** Whether the resources of the pod as a whole change. */
  readonly updatePodLevelResources: boolean;
}

export interface ContainerToKill {
  readonly id: string;
  readonly name: string;
  /** The message of the Event. */
  readonly message: string;
  readonly reason?: KillReason;
}

/** Why a container is killed. It decides about the grace period: see `terminationGracePeriod`. */
export type KillReason = 'StartupProbe' | 'LivenessProbe' | 'FailedPostStartHook' | 'RestartAllContainers' | 'Unknown';

export interface ContainerToReset {
  readonly id: string;
  readonly name: string;
  /** Whether it has not ended yet, and is killed without grace. */
  readonly kill: boolean;
}

export type ResizableResource = 'cpu' | 'memory';

export interface ContainerToUpdate {
  readonly id: string;
  readonly name: string;
  readonly desired: ComparedResources;
  readonly current: ComparedResources;
}

/** Memory in bytes, CPU in thousandths of a core; 0 if absent. */
export interface ComparedResources {
  readonly memoryLimit: number;
  readonly memoryRequest: number;
  readonly cpuLimit: number;
  readonly cpuRequest: number;
}

/** Actions that a computation adds to. */
export type DraftActions = { -readonly [Field in keyof PodActions]: Mutable<PodActions[Field]> };

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T extends object ? { -readonly [Field in keyof T]: Mutable<T[Field]> } : T;

export const createActions = (sandboxID: string, attempt: number): DraftActions => ({
  killPod: false,
  createSandbox: false,
  sandboxID,
  attempt,
  initContainersToStart: [],
  containersToStart: [],
  ephemeralContainersToStart: [],
  containersToKill: [],
  containersToUpdate: {},
  containersToReset: [],
  updatePodResources: false,
  updatePodLevelResources: false,
});
