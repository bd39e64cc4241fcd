import type { ContainerStatus, Pod, PodStatus } from 'kube-endpoints/types';

/**
 * The oracle's modes, each of which calls one part of the kubelet.
 * - conditions: computes the pod's conditions from the container statuses
 * - phase: computes the pod's phase
 * - merge: merges the previous and the next status
 * - record: sets the next status in a status manager
 * - probed: applies stored probe results to container statuses
 * - generate: generates the status
 * - worker: runs one probe worker through several ticks
 */
export const readinessModes = ['conditions', 'phase', 'merge', 'record', 'probed', 'worker', 'generate'] as const;
export type ReadinessMode = (typeof readinessModes)[number];

/** A case. Each mode reads some of the fields. An absent list means that the content is unknown, and an empty list that there is none. */
export interface ReadinessCase {
  readonly id: string;
  readonly pod: Pod;
  /** The previous status of the pod. */
  readonly former: PodStatus;
  /** The next status, for `merge` and `record`. */
  readonly status?: PodStatus;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly phase?: string;
  readonly eviction?: { readonly evict: boolean; readonly reason: string; readonly message: string };
  readonly podIPs?: readonly string[];
  readonly hostIP?: string;
  readonly finished?: boolean;
  readonly initialized?: boolean;
  readonly running?: boolean;
  /** Stored probe results by kind and container ID. */
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly kind?: 'startup' | 'readiness' | 'liveness';
  readonly container?: string;
  /** The age of the kubelet in seconds. */
  readonly kubeletAge?: number;
  readonly ticks?: readonly ReadinessTick[];
}

/** One run of a probe. */
export interface ReadinessTick {
  readonly status?: PodStatus;
  readonly deleted?: boolean;
  /** The age of the containers in seconds; half a second is added. */
  readonly age: number;
  readonly outcome: 'success' | 'failure' | 'error';
}

export interface ReadinessAnswer {
  readonly id: string;
  readonly [field: string]: unknown;
}
