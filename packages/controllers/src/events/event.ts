import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectMeta, ObjectReference } from 'kube-endpoints/types';

export type EventType = 'Normal' | 'Warning';

/** `corev1.Event`, with the fields that are written here. */
export interface CoreEvent extends ApiObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Event';
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly involvedObject: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string; readonly host?: string };
  /** Empty for a combined Event, as in client-go. */
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** The object and the content of an Event. */
export interface EventContent {
  readonly object: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** A reference to an object of `v1`, for an Event. */
export const createReference = (kind: string, { namespace, name, uid, resourceVersion }: ObjectMeta): ObjectReference => ({
  kind,
  apiVersion: 'v1',
  namespace,
  name,
  ...(uid && { uid }),
  ...(resourceVersion && { resourceVersion }),
});

/** The component that writes an Event. */
export interface Source {
  /** For example "endpoint-controller". */
  readonly component: string;
  readonly host?: string | undefined;
}

/**
 * Creates an Event in the namespace of the object, or in "default" if the object has no namespace.
 *
 * Mirrors recorderImpl.makeEvent and generateEvent (1.36, client-go/tools/record/event.go).
 * @param now milliseconds since the epoch
 */
export function makeEvent(
  { object, type, reason, message }: EventContent,
  { component, host }: Source,
  name: string,
  now: number,
): CoreEvent {
  const time = timestampOf(now);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: object.namespace || 'default', name },
    involvedObject: { ...object },
    type,
    reason,
    message,
    source: host ? { component, host } : { component },
    reportingComponent: component,
    reportingInstance: host ?? '',
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
  };
}

/** `metav1.Time`: truncated to seconds. */
export const timestampOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;

/**
 * The outcome of an Event. `filtered`: the rate limit was exceeded; `refused`: the server rejected it, for example because its namespace is
 * being deleted; `retried`: an attempt failed and another one follows; `dropped`: not written, because too many Events were waiting, no
 * attempt got a response, or the recorder was stopped.
 */
export type EventOutcome = 'created' | 'patched' | 'filtered' | 'refused' | 'retried' | 'dropped';

/** Reports the outcome of an Event, or of one attempt to write it, for metrics and logs. */
export interface RecorderEvent {
  readonly kind: 'event';
  readonly event: CoreEvent;
  readonly outcome: EventOutcome;
  readonly error?: unknown;
}
