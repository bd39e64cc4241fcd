/** Simulated time, advanced event by event, with seeded randomness. */
export interface World {
  /** Milliseconds since the start. */
  readonly now: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A number from `least` up to `most`. */
  between(least: number, most: number): number;
  pick<T>(values: readonly T[]): T;
  at(delay: number, happen: () => void): { cancel(): void };
  /** Runs the next event and its immediate consequences. False if no event is scheduled. */
  step(): Promise<boolean>;
  /** Advances time by milliseconds. */
  pass(milliseconds: number, afterStep?: () => void): Promise<void>;
}

export function createWorld(seed: number): World {
  const state: State = { now: 0, events: [], chance: seed >>> 0 };
  const random = (): number => draw(state);
  const between = (least: number, most: number): number => least + random() * (most - least);
  const world: World = {
    get now() {
      return state.now;
    },
    random,
    between,
    pick: (values) => values[Math.floor(random() * values.length)] as (typeof values)[number],
    at: (delay, happen) => add(state, { time: state.now + Math.max(0, delay), happen, isOff: false }),
    step: () => step(state),
    async pass(milliseconds, afterStep) {
      const end = state.now + milliseconds;
      await settle();
      for (drop(state); (state.events[0]?.time ?? Number.POSITIVE_INFINITY) <= end; drop(state)) {
        await step(state);
        afterStep?.();
      }
      state.now = end;
      await settle();
    },
  };
  return world;
}

interface Event {
  readonly time: number;
  readonly happen: () => void;
  isOff: boolean;
}

interface State {
  now: number;
  /** Ordered by time, then by insertion. */
  readonly events: Event[];
  chance: number;
}

function add({ events }: State, event: Event): { cancel(): void } {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle] as Event).time <= event.time) low = middle + 1;
    else high = middle;
  }
  events.splice(low, 0, event);
  return {
    cancel: () => {
      event.isOff = true;
    },
  };
}

function drop({ events }: State): void {
  while (events[0]?.isOff) events.shift();
}

async function step(state: State): Promise<boolean> {
  drop(state);
  const event = state.events.shift();
  if (!event) return false;
  state.now = Math.max(state.now, event.time);
  event.happen();
  await settle();
  return true;
}

/** All resolvable promises are settled after one turn of the event loop. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** mulberry32 */
function draw(state: State): number {
  state.chance = (state.chance + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state.chance ^ (state.chance >>> 15), 1 | state.chance);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
