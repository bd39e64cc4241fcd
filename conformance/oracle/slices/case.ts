import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';

/** Changes before a sync; absent fields stay unchanged. */
export interface SliceStep {
  readonly service?: Service;
  readonly serviceDeleted?: true;
  /** All pods, nodes or slices from now on. */
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly slices?: readonly EndpointSliceInput[];
  /** The cache shows the slices before the last sync. */
  readonly lag?: true;
  /** Only for the mirroring controller. */
  readonly endpoints?: EndpointsInput;
  readonly endpointsDeleted?: true;
}

/** The state before the first sync, and the changes before each further one. */
export interface SliceCase extends SliceStep {
  readonly id: string;
  /** "namespace/name" of the Service. */
  readonly key: string;
  /** The maximum number of endpoints of a slice or, for mirroring, of a subset. */
  readonly max: number;
  readonly steps?: readonly SliceStep[];
  /** How often each sync runs from the same state; the last outcome is kept. */
  readonly repeat?: number;
}

export interface SliceWrite {
  readonly verb: 'create' | 'update' | 'delete';
  readonly object?: EndpointSliceInput;
  readonly name?: string;
}

export interface SliceEventRecord {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The result of one sync of an oracle, and all slices after it. */
export interface SliceOutcome {
  readonly writes: readonly SliceWrite[];
  readonly events: readonly SliceEventRecord[];
  readonly error?: string;
  readonly panic?: boolean;
  readonly slices: readonly EndpointSliceInput[];
  /** The slices of the case as the release decodes them, without unknown fields. */
  readonly given?: readonly EndpointSliceInput[];
  /** The other outcomes of a repeated sync. */
  readonly others?: readonly SliceOutcome[];
}

/** An oracle's results for a case. No sync follows one that panicked. */
export interface SliceResult {
  readonly id: string;
  readonly syncs: readonly SliceOutcome[];
}

/** The EndpointSlice controllers. */
export type SliceMode = 'slices' | 'mirror';
