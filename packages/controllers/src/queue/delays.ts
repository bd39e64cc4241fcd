import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';

/** Keys that wait until a given time. */
export interface Delays {
  readonly size: number;
  /** Adds a key that becomes due after `milliseconds`. If the key waits already, the earlier time applies. */
  add(key: string, milliseconds: number, retry: boolean): void;
  clear(): void;
}

/** Called when a key becomes due. `retry`: at least one of its delays followed a failure. */
export type OnDue = (key: string, retry: boolean) => void;

interface Entry {
  readonly key: string;
  /** Order of arrival, which decides between keys that are due at the same time. */
  readonly order: number;
  /** Due time by `clock.elapsed()`. */
  at: number;
  retry: boolean;
  /** Index in the heap. */
  index: number;
}

/** Creates a heap of keys by due time, with one timer for the first of them. As client-go's delaying_queue.go (1.36). */
export function createDelays(clock: SteadyClock, due: OnDue): Delays {
  const heap: Entry[] = [];
  const entries = new Map<string, Entry>();
  let orders = 0;
  let call: ScheduledCall | undefined;
  let scheduledFor = 0;

  const fire = (): void => {
    call = undefined;
    const now = clock.elapsed();
    for (let entry = heap[0]; entry && entry.at <= now; entry = heap[0]) {
      removeFirst(heap);
      entries.delete(entry.key);
      due(entry.key, entry.retry);
    }
    arm();
  };
  const arm = (): void => {
    const next = heap[0];
    if (!next || (call && scheduledFor <= next.at)) return;
    call?.cancel();
    scheduledFor = next.at;
    // Rounded up to whole milliseconds: a timer that drops the fraction would fire early, again and again.
    call = clock.schedule(fire, Math.ceil(next.at - clock.elapsed()));
  };
  return {
    get size() {
      return heap.length;
    },
    add(key, milliseconds, retry) {
      const at = clock.elapsed() + milliseconds;
      const entry = entries.get(key) ?? { key, order: orders++, at, retry, index: heap.length };
      entry.retry ||= retry;
      if (entry.index === heap.length) {
        entries.set(key, entry);
        heap.push(entry);
      } else if (at >= entry.at) return;
      entry.at = at;
      siftUp(heap, entry);
      arm();
    },
    clear() {
      call?.cancel();
      call = undefined;
      heap.length = 0;
      entries.clear();
    },
  };
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function putAt(heap: Entry[], index: number, entry: Entry): void {
  heap[index] = entry;
  entry.index = index;
}

/** Moves an entry up to its position. */
function siftUp(heap: Entry[], entry: Entry): void {
  let { index } = entry;
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBefore(entry, parent)) break;
    putAt(heap, index, parent);
    index = above;
  }
  putAt(heap, index, entry);
}

function removeFirst(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const [a, b] = [heap[left], heap[left + 1]];
    const child = a && b && isBefore(b, a) ? b : a;
    if (!child || !isBefore(child, last)) break;
    const below = child.index;
    putAt(heap, index, child);
    index = below;
  }
  putAt(heap, index, last);
}
