import type { ScheduledCall } from 'kube-endpoints/port';

/** The time of a simulation, which moves only by `advance`. Everything happens at a moment of it. */
export interface Scheduler {
  /** Milliseconds since the simulation began. */
  readonly time: number;
  /** The number of executed actions. */
  readonly turns: number;
  schedule(callback: () => void, milliseconds: number): ScheduledCall;
  /** Runs everything that needs no time. */
  settle(): Promise<void>;
  /** Lets time pass, and runs everything that falls due, one after another. */
  advance(milliseconds: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** Runs actions that are due at the same time in scheduling order, each with all its consequences before the next. */
export function createScheduler(): Scheduler {
  const heap: Timer[] = [];
  let time = 0;
  let orders = 0;
  let turns = 0;
  return {
    get time() {
      return time;
    },
    get turns() {
      return turns;
    },
    schedule(callback, milliseconds) {
      orders += 1;
      const timer: Timer = { at: time + Math.max(0, milliseconds), order: orders, callback };
      push(heap, timer);
      return {
        cancel() {
          timer.callback = undefined;
        },
      };
    },
    settle: turn,
    async advance(milliseconds) {
      const until = time + milliseconds;
      for (let next = heap[0]; next && next.at <= until; next = heap[0]) {
        pop(heap);
        const { callback } = next;
        if (!callback) continue;
        time = next.at;
        turns += 1;
        callback();
        await turn();
      }
      time = until;
    },
  };
}

/** After a turn of the event loop, all promise callbacks have run. */
const turn = (): Promise<void> => new Promise(onNextTurn);
const { setImmediate: schedule } = globalThis;
const onNextTurn = (resolve: () => void): void => void schedule(resolve);

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(timer, heap[parent] as Timer)) break;
    heap[at] = heap[parent] as Timer;
    at = parent;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop() as Timer;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child += 1;
    if (!isBefore(heap[child] as Timer, last)) break;
    heap[at] = heap[child] as Timer;
    at = child;
  }
  heap[at] = last;
}
