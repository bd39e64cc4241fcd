import type { StartApplication } from '../../engine/application.ts';
import type { Clock, Timer } from '../../engine/clock.ts';
import type { ContainerRef } from '../../engine/timeline.ts';
import type { BackOff, KubeletPod, PodStatusCache, PodWork, PodWorker, Resources } from '../../kubelet/index.ts';
import type { Images } from './images.ts';
import type { Prober } from './probes.ts';
import type { PodRuntime, RuntimeSnapshot } from './runtime.ts';

/** What the pods of a node share. */
export interface NodeContext {
  readonly name: string;
  /** "kubelet/n1" */
  readonly actor: string;
  readonly clock: Clock;
  readonly startApplication: StartApplication;
  readonly hostIPs: readonly string[];
  readonly backOff: BackOff;
  readonly writer: StatusWriter;
  readonly images: Images;
  /** When the kubelet started, in milliseconds since the epoch. */
  readonly startedAt: number;
  createID(): string;
  allocateIP(): string;
  /** Takes an address that a pod had before. */
  reserveIP(ip: string): void;
  releaseIP(ip: string): void;
  forget(host: PodHost): void;
}

export interface StatusWriter {
  /** A status has changed: writes it now, or after the running writes. */
  notify(): void;
  /** Compares all statuses again at the end of the current period of 10 seconds. */
  notifyLater(): void;
}

/** One pod on its node. */
export interface PodHost {
  readonly node: NodeContext;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly ref: Pick<ContainerRef, 'pod' | 'podUid' | 'node'>;
  readonly worker: PodWorker;
  readonly cache: PodStatusCache;
  readonly runtime: PodRuntime;
  readonly prober: Prober;
  /** The kubelet's last version of the pod. */
  pod: KubeletPod;
  /** Whether the pod was deleted from the API. */
  isDeleted: boolean;
  /** Whether the pod is killed because its node shuts down. */
  isShutDown?: boolean;
  /** What the kubelet last read from the container runtime. */
  read: RuntimeSnapshot;
  /** The address of the pod, once it has one. */
  ip?: string;
  /** Why containers could not be started: the reason and message of their waiting states, by name. */
  readonly failures: Map<string, { readonly reason: string; readonly message: string }>;
  /** The resources that were last applied. */
  actuated: { pod?: Resources; containers: Record<string, Resources> };
  readonly loop: LoopState;
}

/** The state of the pod's worker loop. */
export interface LoopState {
  /** The work that waits until the kubelet reads the runtime. */
  waiting: PodWork | undefined;
  /** Whether the runtime was not read since the end of the last sync. */
  isStale: boolean;
  reading: Timer | undefined;
  readingCause: number | undefined;
  requeue: Timer | undefined;
  /** The running sync. */
  running: { isCancelled: boolean } | undefined;
  /** The containers and their states when the runtime was last read. */
  signature: string;
}
