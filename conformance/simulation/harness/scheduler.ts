import type { ScheduledCall } from 'kube-endpoints/port';

/** The simulated time, which moves only by `advance`, and the actions that are due at a time. */
export interface Scheduler {
  /** Milliseconds since the simulation began. */
  readonly time: number;
  /** The number of executed actions. */
  readonly executedActions: number;
  schedule(callback: () => void, milliseconds: number): ScheduledCall;
  /** Lets all promise callbacks run, without advancing time. */
  settle(): Promise<void>;
  /** Advances time, and runs the actions that become due, one after another. */
  advance(milliseconds: number): Promise<void>;
}

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** Actions that are due at the same time run in scheduling order. All promise callbacks of an action run before the next action. */
export function createScheduler(): Scheduler {
  const heap: Timer[] = [];
  let time = 0;
  let nextOrder = 0;
  let executedActions = 0;
  return {
    get time() {
      return time;
    },
    get executedActions() {
      return executedActions;
    },
    schedule(callback, milliseconds) {
      nextOrder += 1;
      const timer: Timer = { dueAt: time + Math.max(0, milliseconds), order: nextOrder, callback };
      push(heap, timer);
      return {
        cancel() {
          timer.callback = undefined;
        },
      };
    },
    settle: nextTurn,
    async advance(milliseconds) {
      const end = time + milliseconds;
      for (let next = heap[0]; next && next.dueAt <= end; next = heap[0]) {
        pop(heap);
        const { callback } = next;
        if (!callback) continue;
        time = next.dueAt;
        executedActions += 1;
        callback();
        await nextTurn();
      }
      time = end;
    },
  };
}

/** Waits one turn of the event loop: then all promise callbacks have run. */
const nextTurn = (): Promise<void> => new Promise(onNextTurn);
const { setImmediate: schedule } = globalThis;
const onNextTurn = (resolve: () => void): void => void schedule(resolve);

const isBefore = (a: Timer, b: Timer): boolean => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

function push(heap: Timer[], timer: Timer): void {
  let index = heap.push(timer) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(timer, heap[parent] as Timer)) break;
    heap[index] = heap[parent] as Timer;
    index = parent;
  }
  heap[index] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop() as Timer;
  if (heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child += 1;
    if (!isBefore(heap[child] as Timer, last)) break;
    heap[index] = heap[child] as Timer;
    index = child;
  }
  heap[index] = last;
}
