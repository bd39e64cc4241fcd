import type { ApiObject } from 'kube-endpoints/port';
import { type Fields, isFields } from './fields.ts';
import { type ObjectRef, type Place, type RecordedKind, RecordingError, recordedKinds, type TimeRange, type Writer } from './types.ts';

/** How a write changes an object. `observe` shows a state without the request; `vanish` shows that the object is gone. */
export type Effect = 'create' | 'update' | 'status' | 'patch' | 'scale' | 'bind' | 'evict' | 'delete' | 'observe' | 'vanish';

/** An entry of a recording about one object, before it is ordered. */
export interface RawWrite extends ObjectRef {
  readonly effect: Effect;
  /** The state after the write, from the response or from a watch. */
  readonly object?: ApiObject;
  readonly request?: unknown;
  /** Known for audit logs, and for objects that a dump lacks. */
  readonly time?: TimeRange;
  /** The earliest possible time, in milliseconds since the epoch: that of a dump without this state. */
  readonly floor?: number;
  /** The latest possible time, in milliseconds since the epoch; infinite if it is unknown. */
  readonly bound: number;
  /** A time near that of the write, in milliseconds since the epoch, for entries whose order is not known otherwise. */
  readonly near: number;
  /** The newest entry of managedFields. */
  readonly managed?: ManagedTime;
  readonly resourceVersion?: string;
  readonly writer?: Writer;
  readonly place: Place;
}

/** The time of an entry of managedFields in milliseconds since the epoch, rounded down to a second, and its manager. */
export interface ManagedTime {
  readonly at: number;
  readonly manager: string;
}

export const isRecordedKind = (kind: unknown): kind is RecordedKind => (recordedKinds as readonly unknown[]).includes(kind);

/** The reference to an object of a recorded kind. @throws RecordingError if it has no name */
export function refOf(object: Fields, place: Place): ObjectRef {
  const metadata = isFields(object['metadata']) ? object['metadata'] : {};
  const { name, namespace = '' } = metadata;
  if (typeof name !== 'string' || name === '') throw new RecordingError(`${place}: metadata.name: give the name of the object`);
  if (typeof namespace !== 'string') throw new RecordingError(`${place}: metadata.namespace: give a string`);
  return { kind: object['kind'] as RecordedKind, namespace, name };
}
