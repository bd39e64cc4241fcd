import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';

/** What changes before a sync; what is absent stays as it is. */
export interface SliceStep {
  readonly service?: Service;
  readonly serviceDeleted?: true;
  /** Every pod, node or slice there is from now on. */
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly slices?: readonly EndpointSliceInput[];
  /** The cache shows the slices as they were before the last sync. */
  readonly lag?: true;
  /** For the mirroring controller alone. */
  readonly endpoints?: EndpointsInput;
  readonly endpointsDeleted?: true;
}

/** The state before the first sync, and what changes before each further one. */
export interface SliceCase extends SliceStep {
  readonly id: string;
  /** "namespace/name" of the Service. */
  readonly key: string;
  /** The most endpoints of a slice; when mirroring, of a subset. */
  readonly max: number;
  readonly steps?: readonly SliceStep[];
  /** How often each sync is done from one and the same state; the last outcome is the one that stands. */
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

/** What one sync of an oracle did, and every slice there is afterwards. */
export interface SliceOutcome {
  readonly writes: readonly SliceWrite[];
  readonly events: readonly SliceEventRecord[];
  readonly error?: string;
  readonly panic?: boolean;
  readonly slices: readonly EndpointSliceInput[];
  /** The slices that the case brought, as the release reads them: without fields that it does not know. */
  readonly given?: readonly EndpointSliceInput[];
  /** What the other times did, where a sync was repeated. */
  readonly others?: readonly SliceOutcome[];
}

/** An oracle's answer to a case. After a panic there are no further syncs. */
export interface SliceResult {
  readonly id: string;
  readonly syncs: readonly SliceOutcome[];
}

/** The controllers of slices. */
export type SliceMode = 'slices' | 'mirror';
