import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';

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

/** What an Event says about an object. */
export interface Occurrence {
  readonly object: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** The component that writes an Event. */
export interface Source {
  /** For example "endpoint-controller". */
  readonly component: string;
  readonly host?: string | undefined;
}

/**
 * Creates an Event in the namespace of the object, or in "default" if it has none.
 *
 * Mirrors recorderImpl.makeEvent and generateEvent (1.36, client-go/tools/record/event.go).
 * @param now milliseconds since the epoch
 */
export function makeEvent(
  { object, type, reason, message }: Occurrence,
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
 * What happened to an Event. `filtered`: there were too many of its kind; `refused`: the server rejected it, for example because its
 * namespace is being deleted; `retried`: it will be tried again; `dropped`: given up, because too many were waiting, no attempt was
 * answered, or the recorder was stopped.
 */
export type EventOutcome = 'created' | 'patched' | 'filtered' | 'refused' | 'retried' | 'dropped';

/** The result of an Event or of one attempt, for metrics and logs. */
export interface RecorderEvent {
  readonly kind: 'event';
  readonly event: CoreEvent;
  readonly outcome: EventOutcome;
  readonly error?: unknown;
}
