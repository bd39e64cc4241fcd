import type { Clock, ScheduledCall } from '../store/index.ts';
import type { DueCallFaults } from './scheduler.ts';

/** Counts the events in a value and splits the value after a number of events. */
export interface EventSplitter<T> {
  count(value: T): number;
  split(value: T, eventCount: number): readonly [first: T, rest: T];
}

/** Tracks when the faults of one watch are due, by number of events or by time. */
export interface FaultTriggers<T> {
  /** Splits a value at the next event that triggers a fault, and counts the events of the first part as delivered events. */
  splitAtTrigger(value: T): { readonly firstPart: T; readonly rest?: T };
  /** Triggers the faults that are due by number of events. */
  fireDueTriggers(): void;
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
  let deliveredCount = 0;
  return {
    splitAtTrigger(value) {
      const remainingCount = Math.min(...triggers.map(({ eventCount }) => eventCount)) - deliveredCount;
      const count = splitter?.count(value) ?? 1;
      deliveredCount += Math.min(count, remainingCount);
      if (!splitter || count <= remainingCount) return { firstPart: value };
      const [firstPart, rest] = splitter.split(value, remainingCount);
      return { firstPart, rest };
    },
    fireDueTriggers() {
      for (const trigger of triggers) {
        if (deliveredCount < trigger.eventCount) continue;
        trigger.eventCount = Number.POSITIVE_INFINITY;
        trigger.action();
      }
    },
    dispose() {
      for (const timer of timers) timer.cancel();
    },
  };
}

const noTriggers: FaultTriggers<unknown> = {
  splitAtTrigger: (value) => ({ firstPart: value }),
  fireDueTriggers: () => undefined,
  dispose: () => undefined,
};

interface Trigger {
  /** Number of delivered events at which the trigger fires; infinite if it fired or depends only on time. */
  eventCount: number;
  readonly milliseconds: number | undefined;
  action(): void;
}

function createTrigger(fault: DueCallFaults['drop'] | DueCallFaults['stall'], action: () => void): Trigger | undefined {
  if (!fault) return undefined;
  const { afterEvents, afterMilliseconds } = fault as { readonly afterEvents?: number; readonly afterMilliseconds?: number };
  const eventCount = afterEvents ?? (afterMilliseconds === undefined ? 0 : Number.POSITIVE_INFINITY);
  return { eventCount, milliseconds: afterMilliseconds, action };
}
