import type { ContainerStatus, Pod, PodStatus } from 'kube-endpoints/types';

/** What the oracle answers, each by a function of the kubelet's. */
export const readinessModes = ['conditions', 'phase', 'merge', 'record', 'probed', 'worker'] as const;
export type ReadinessMode = (typeof readinessModes)[number];

/** A case; each mode looks at a part of it. A list that is left out is unknown, an empty one is empty. */
export interface ReadinessCase {
  readonly id: string;
  readonly pod: Pod;
  /** The status before. */
  readonly former: PodStatus;
  /** The status after it, for `merge` and `record`. */
  readonly status?: PodStatus;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly phase?: string;
  readonly finished?: boolean;
  readonly initialized?: boolean;
  readonly running?: boolean;
  /** What is stored of probes: kind, then container ID. */
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly kind?: 'startup' | 'readiness' | 'liveness';
  readonly container?: string;
  /** For how many seconds the kubelet has run. */
  readonly kubeletAge?: number;
  readonly ticks?: readonly ReadinessTick[];
}

/** One time for a probe. */
export interface ReadinessTick {
  readonly status?: PodStatus;
  readonly deleted?: boolean;
  /** For how many seconds the containers have run; half a second is added. */
  readonly age: number;
  readonly outcome: 'success' | 'failure' | 'error';
}

export interface ReadinessAnswer {
  readonly id: string;
  readonly [field: string]: unknown;
}
