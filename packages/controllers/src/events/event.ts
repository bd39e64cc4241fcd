import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';

export type EventType = 'Normal' | 'Warning';

/** `corev1.Event`, as far as it is written here. */
export interface CoreEvent extends ApiObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Event';
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly involvedObject: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string; readonly host?: string };
  /** Empty for an Event that stands for several similar ones, as the original has it. */
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** What there is to tell of an object. */
export interface Occurrence {
  readonly object: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** Who tells it. */
export interface Source {
  /** Such as "endpoint-controller". */
  readonly component: string;
  readonly host?: string | undefined;
}

/**
 * The Event of an occurrence. Its namespace is that of the object, "default" where it has none.
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

/** `metav1.Time`: to the second, cut off. */
export const timestampOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;

/**
 * What became of an Event. `filtered`: there were too many of its kind; `refused`: the server would not have it, for example because its
 * namespace is going; `retried`: it will be tried again; `dropped`: given up, because too many waited, no try had an answer, or the
 * recorder was stopped.
 */
export type EventOutcome = 'created' | 'patched' | 'filtered' | 'refused' | 'retried' | 'dropped';

/** What happens to Events, for metrics and logs. */
export interface RecorderEvent {
  readonly kind: 'event';
  readonly event: CoreEvent;
  readonly outcome: EventOutcome;
  readonly error?: unknown;
}
