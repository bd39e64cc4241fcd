/** Simulated time, advanced event by event, with seeded randomness. */
export interface Simulator {
  /** Milliseconds since the start. */
  readonly now: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A number from `min` up to `max`. */
  between(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
  /** Schedules an event after a delay in milliseconds. */
  schedule(delay: number, callback: () => void): { cancel(): void };
  /** Runs the next event and its immediate consequences. Returns false if no event is scheduled. */
  step(): Promise<boolean>;
  /** Runs the events of the next milliseconds, with `afterStep` after each, and advances the time to the end of that period. */
  pass(milliseconds: number, afterStep?: () => void): Promise<void>;
}

export function createSimulator({ seed }: { readonly seed: number }): Simulator {
  const state: State = { now: 0, events: [], randomState: seed >>> 0 };
  const random = (): number => drawRandom(state);
  const between = (min: number, max: number): number => min + random() * (max - min);
  const simulator: Simulator = {
    get now() {
      return state.now;
    },
    random,
    between,
    pick: (values) => values[Math.floor(random() * values.length)] as (typeof values)[number],
    schedule: (delay, callback) => insertEvent(state, { time: state.now + Math.max(0, delay), callback, isCancelled: false }),
    step: () => step(state),
    async pass(milliseconds, afterStep) {
      const end = state.now + milliseconds;
      await flushPromises();
      for (dropCancelled(state); (state.events[0]?.time ?? Number.POSITIVE_INFINITY) <= end; dropCancelled(state)) {
        await step(state);
        afterStep?.();
      }
      state.now = end;
      await flushPromises();
    },
  };
  return simulator;
}

interface ScheduledEvent {
  readonly time: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

interface State {
  now: number;
  /** Ordered by time, then by insertion. */
  readonly events: ScheduledEvent[];
  randomState: number;
}

function insertEvent({ events }: State, event: ScheduledEvent): { cancel(): void } {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle] as ScheduledEvent).time <= event.time) low = middle + 1;
    else high = middle;
  }
  events.splice(low, 0, event);
  return {
    cancel: () => {
      event.isCancelled = true;
    },
  };
}

function dropCancelled({ events }: State): void {
  while (events[0]?.isCancelled) events.shift();
}

async function step(state: State): Promise<boolean> {
  dropCancelled(state);
  const event = state.events.shift();
  if (!event) return false;
  state.now = Math.max(state.now, event.time);
  event.callback();
  await flushPromises();
  return true;
}

/** Waits one turn of the event loop, so that all promises that can settle have settled. */
const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The random number generator mulberry32. */
function drawRandom(state: State): number {
  state.randomState = (state.randomState + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state.randomState ^ (state.randomState >>> 15), 1 | state.randomState);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
