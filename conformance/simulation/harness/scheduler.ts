import type { ScheduledCall } from 'kube-endpoints/port';

/** The one time of a simulation. Nothing happens but at a moment of it, and it moves only when it is told to. */
export interface Scheduler {
  /** Milliseconds since the simulation began. */
  readonly time: number;
  /** How many things have happened. */
  readonly turns: number;
  schedule(callback: () => void, milliseconds: number): ScheduledCall;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** Lets so much time pass, and all that is due in it happen, one after another. */
  advance(milliseconds: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** What is due at the same moment happens in the order in which it was scheduled, each with all that comes of it before the next. */
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

/** All that waits for promises only has gone as far as it can once a turn of the event loop is over. */
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
