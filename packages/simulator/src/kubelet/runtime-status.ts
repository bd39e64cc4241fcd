import { containersOf, type KubeletContainer, type KubeletPod } from './pod.ts';

/** What the container runtime has of a pod. Mirrors `PodStatus` (1.36, pkg/kubelet/container/runtime.go). */
export interface RuntimeStatus {
  /** The newest first. */
  readonly sandboxes: readonly RuntimeSandbox[];
  /** All containers that still exist, also those that have ended; the newest first. */
  readonly containers: readonly RuntimeContainer[];
}

export interface RuntimeSandbox {
  readonly id: string;
  /** 0 for the pod's first sandbox. */
  readonly attempt: number;
  readonly ready: boolean;
  /** Whether it uses the network of the node. */
  readonly hostNetwork?: boolean;
  /** Absent if the runtime does not report the network; empty if there is no address. */
  readonly ip?: string;
}

export interface RuntimeContainer {
  /** For example "containerd://4d1c". */
  readonly id: string;
  readonly name: string;
  readonly state: 'created' | 'running' | 'exited' | 'unknown';
  /** The value of `hashContainer` when the container was created. */
  readonly hash: number;
  readonly exitCode?: number;
  /** The reason of its end, for example "OOMKilled". */
  readonly reason?: string;
  /** RFC 3339. */
  readonly finishedAt?: string;
}

/** The newest container of that name. */
export const findContainer = (status: RuntimeStatus, { name }: KubeletContainer): RuntimeContainer | undefined =>
  status.containers.find((container) => container.name === (name ?? ''));

/** Whether a regular container was created, which means that the pod was initialized. Mirrors `HasAnyRegularContainerCreated`. */
export const hasAnyRegularContainerCreated = (pod: KubeletPod, status: RuntimeStatus): boolean =>
  containersOf(pod).some((container) => ['created', 'running', 'exited'].includes(findContainer(status, container)?.state ?? 'unknown'));

/** Whether nothing of the pod runs. Mirrors `isPodStatusCacheTerminal` (1.36, pkg/kubelet/pod_workers.go). */
export const isRuntimeTerminal = ({ containers, sandboxes }: RuntimeStatus): boolean =>
  !containers.some(({ state }) => state === 'running') && !sandboxes.some(({ ready }) => ready);
