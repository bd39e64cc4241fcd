import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';

/** Keys that wait until a given time. */
export interface Delays {
  readonly size: number;
  /** Adds a key that becomes due after `milliseconds`. If the key is already waiting, the earlier of the two times applies. */
  add(key: string, milliseconds: number, retry: boolean): void;
  clear(): void;
}

/** Called when a key becomes due. `retry`: at least one of its delays followed a failure. */
export type OnDue = (key: string, retry: boolean) => void;

interface Entry {
  readonly key: string;
  /** Order of arrival, which decides between keys that are due at the same time. */
  readonly order: number;
  /** The due time, on the scale of `clock.elapsed()`. */
  dueAt: number;
  retry: boolean;
  /** Index in the heap. */
  index: number;
}

/** Creates a heap of keys by due time, with one timer for the first of them. Mirrors delaying_queue.go (client-go 1.36). */
export function createDelays(clock: SteadyClock, onDue: OnDue): Delays {
  const heap: Entry[] = [];
  const entries = new Map<string, Entry>();
  let nextOrder = 0;
  let timer: ScheduledCall | undefined;
  let scheduledFor = 0;

  const fire = (): void => {
    timer = undefined;
    const now = clock.elapsed();
    for (let entry = heap[0]; entry && entry.dueAt <= now; entry = heap[0]) {
      removeFirst(heap);
      entries.delete(entry.key);
      onDue(entry.key, entry.retry);
    }
    arm();
  };
  const arm = (): void => {
    const nextEntry = heap[0];
    if (!nextEntry || (timer && scheduledFor <= nextEntry.dueAt)) return;
    timer?.cancel();
    scheduledFor = nextEntry.dueAt;
    // Rounded up to whole milliseconds: a timer that drops the fraction would repeatedly fire too early.
    timer = clock.schedule(fire, Math.ceil(nextEntry.dueAt - clock.elapsed()));
  };
  return {
    get size() {
      return heap.length;
    },
    add(key, milliseconds, retry) {
      const dueAt = clock.elapsed() + milliseconds;
      const entry = entries.get(key) ?? { key, order: nextOrder++, dueAt, retry, index: heap.length };
      entry.retry ||= retry;
      if (entry.index === heap.length) {
        entries.set(key, entry);
        heap.push(entry);
      } else if (dueAt >= entry.dueAt) return;
      entry.dueAt = dueAt;
      siftUp(heap, entry);
      arm();
    },
    clear() {
      timer?.cancel();
      timer = undefined;
      heap.length = 0;
      entries.clear();
    },
  };
}

const isBefore = (a: Entry, b: Entry): boolean => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

function putAt(heap: Entry[], index: number, entry: Entry): void {
  heap[index] = entry;
  entry.index = index;
}

/** Moves an entry up to its position. */
function siftUp(heap: Entry[], entry: Entry): void {
  let { index } = entry;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (!parent || !isBefore(entry, parent)) break;
    putAt(heap, index, parent);
    index = parentIndex;
  }
  putAt(heap, index, entry);
}

function removeFirst(heap: Entry[]): void {
  const lastEntry = heap.pop();
  if (!lastEntry || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const leftIndex = 2 * index + 1;
    const [a, b] = [heap[leftIndex], heap[leftIndex + 1]];
    const child = a && b && isBefore(b, a) ? b : a;
    if (!child || !isBefore(child, lastEntry)) break;
    const childIndex = child.index;
    putAt(heap, index, child);
    index = childIndex;
  }
  putAt(heap, index, lastEntry);
}
