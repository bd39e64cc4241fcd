import type { CoreEvent } from './event.ts';

/**
 * What became of an Event. `filtered`: there were too many of its kind; `refused`: the server would not have it, for example because its
 * namespace is going; `retried`: it will be tried again; `dropped`: given up, because too many waited, no try had an answer, or the
 * recorder was stopped.
 */
export type EventOutcome = 'created' | 'patched' | 'filtered' | 'refused' | 'retried' | 'dropped';

/** What happens to Events, for metrics and logs. */
export interface EventHappening {
  readonly kind: 'event';
  readonly event: CoreEvent;
  readonly outcome: EventOutcome;
  readonly error?: unknown;
}
