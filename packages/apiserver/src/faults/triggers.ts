import type { Clock, ScheduledCall } from '../store/index.ts';
import type { DueCallFaults } from './scheduler.ts';

/** Counts the events in a value and splits it after a number of events. */
export interface EventSplitter<T> {
  count(value: T): number;
  split(value: T, events: number): readonly [first: T, rest: T];
}

/** Tracks when the faults of one watch are due, by number of events or by time. */
export interface FaultTriggers<T> {
  /** Splits a value at the next event that triggers a fault, and counts the events of the first part as delivered. */
  splitAtTrigger(value: T): { readonly part: T; readonly rest?: T };
  /** Triggers the faults that are due by number of events. */
  fireDue(): void;
  dispose(): void;
}

export interface FaultTriggerOptions<T> {
  readonly clock: Clock;
  readonly drop: DueCallFaults['drop'];
  readonly stall: DueCallFaults['stall'];
  readonly splitter: EventSplitter<T> | undefined;
}

export function createFaultTriggers<T>(
  { clock, drop, stall, splitter }: FaultTriggerOptions<T>,
  actions: { drop(): void; stall(): void },
): FaultTriggers<T> {
  const triggers = [createTrigger(stall, actions.stall), createTrigger(drop, actions.drop)].filter((trigger) => trigger !== undefined);
  const timers: ScheduledCall[] = [];
  for (const { milliseconds, action } of triggers) {
    if (milliseconds !== undefined) timers.push(clock.schedule(action, milliseconds));
  }
  if (triggers.length === 0) return noTriggers as FaultTriggers<T>;
  let deliveredEvents = 0;
  return {
    splitAtTrigger(value) {
      const remainingEvents = Math.min(...triggers.map(({ events }) => events)) - deliveredEvents;
      const count = splitter?.count(value) ?? 1;
      deliveredEvents += Math.min(count, remainingEvents);
      if (!splitter || count <= remainingEvents) return { part: value };
      const [part, rest] = splitter.split(value, remainingEvents);
      return { part, rest };
    },
    fireDue() {
      for (const trigger of triggers) {
        if (deliveredEvents < trigger.events) continue;
        trigger.events = Number.POSITIVE_INFINITY;
        trigger.action();
      }
    },
    dispose() {
      for (const timer of timers) timer.cancel();
    },
  };
}

const noTriggers: FaultTriggers<unknown> = {
  splitAtTrigger: (value) => ({ part: value }),
  fireDue: () => undefined,
  dispose: () => undefined,
};

interface Trigger {
  /** Number of delivered events at which the trigger fires; infinite if it fired or depends only on time. */
  events: number;
  readonly milliseconds: number | undefined;
  action(): void;
}

function createTrigger(fault: DueCallFaults['drop'] | DueCallFaults['stall'], action: () => void): Trigger | undefined {
  if (!fault) return undefined;
  const { afterEvents, afterMilliseconds } = fault as { readonly afterEvents?: number; readonly afterMilliseconds?: number };
  const events = afterEvents ?? (afterMilliseconds === undefined ? 0 : Number.POSITIVE_INFINITY);
  return { events, milliseconds: afterMilliseconds, action };
}
