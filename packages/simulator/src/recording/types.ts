import type { ApiObject } from 'kube-endpoints/port';

/** The kinds of objects that a history has. */
export const recordedKinds = ['Service', 'Pod', 'Endpoints', 'EndpointSlice', 'Node', 'Deployment', 'ReplicaSet'] as const;

export type RecordedKind = (typeof recordedKinds)[number];

/**
 * From what the time of a write is known: the request in an audit log; the newest entry of managedFields; deletionTimestamp without the grace period;
 * another time in the object, which is only a lower bound; the time of a dump, which is only an upper bound; or the order of resource versions.
 */
export type TimeSource = 'audit' | 'managedFields' | 'deletion' | 'object' | 'dump' | 'order';

/** When a write happened, in milliseconds since the epoch, both bounds included. A bound is infinite if it is unknown. */
export interface TimeRange {
  readonly earliest: number;
  readonly latest: number;
  readonly source: TimeSource;
}

/** Who sent a write. */
export interface Writer {
  /** The name of the user in an audit log. */
  readonly user?: string;
  /** The component, for example "endpointslice-controller", "kubelet/n1" or "kubectl-scale"; otherwise the name of the user or manager. */
  readonly component: string;
}

/** A place in a recording, such as "audit.log:12". */
export type Place = string;

export interface ObjectRef {
  readonly kind: RecordedKind;
  /** "" for a Node. */
  readonly namespace: string;
  readonly name: string;
}

/** One state of an object. */
export interface ObjectVersion extends ObjectRef {
  /** The position in the history. */
  readonly id: number;
  /** `observe` is the first state of an object in a recording, which may be much older. */
  readonly change: 'observe' | 'create' | 'update' | 'delete';
  /** The state after the write; on deletion, the last state. Absent if the recording does not show it. */
  readonly object?: ApiObject;
  /** Whether the state was computed from the previous one and the request, because the recording has no response. */
  readonly isDerived: boolean;
  readonly resourceVersion?: string;
  readonly time: TimeRange;
  readonly writer?: Writer;
  /** Set if the write was an eviction. */
  readonly isEviction?: boolean;
  readonly place: Place;
}

/** An Event about an object, as `kube-endpoints/explain` reads it. */
export interface RecordedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly object: ApiObject;
}

/** The objects of a recording over time. */
export interface History {
  /** The first and the last time of the recording, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** All versions in the order of their writes. */
  readonly versions: readonly ObjectVersion[];
  readonly events: readonly RecordedEvent[];
  /** The numbers of entries that could not be used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Orders, names and compares objects by this key, for example "Pod shop/web-1". */
export const refKey = ({ kind, namespace, name }: ObjectRef): string => `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

/** An error in a recording. The message names the file, the line and the field. */
export class RecordingError extends Error {}
