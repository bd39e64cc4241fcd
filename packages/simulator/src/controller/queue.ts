import type { Queue, WorkQueueOptions } from './controller.ts';

/** The queue of a controller in virtual time: client-go 1.36 (util/workqueue) with the default rate limiter of controllers. */
export interface WorkQueue extends Queue {
  /** Takes the next key, which stays in process until `done`. Undefined if no key is ready. */
  take(): string | undefined;
  /** Ends the processing of a key, and adds it if it was added meanwhile. */
  done(key: string): void;
  /** Adds the delayed keys whose time has come. */
  addReady(): void;
  /** The time of the next delayed key, if any, in milliseconds since the epoch. */
  nextTime(): number | undefined;
  /** The number of ready keys. */
  size(): number;
}

/** @param now the current time in milliseconds since the epoch */
export function createWorkQueue(
  now: () => number,
  { minBackoff = 5, maxBackoff = 1_000_000, isLimited = true }: WorkQueueOptions = {},
): WorkQueue {
  const ready: string[] = [];
  const dirty = new Set<string>();
  const processing = new Set<string>();
  const delayed: DelayedKey[] = [];
  const failures = new Map<string, number>();
  const bucket = { tokens: maxTokens, time: now() };
  const add = (key: string): void => {
    if (dirty.has(key)) return;
    dirty.add(key);
    if (!processing.has(key)) ready.push(key);
  };
  const addAfter = (key: string, delay: number): void => {
    if (delay <= 0) add(key);
    else insert(delayed, { key, time: now() + delay });
  };
  return {
    add,
    addAfter,
    addRateLimited(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      const backoff = Math.min(minBackoff * 2 ** count, maxBackoff);
      addAfter(key, isLimited ? Math.max(backoff, reserve(bucket, now())) : backoff);
    },
    forget: (key) => void failures.delete(key),
    requeues: (key) => failures.get(key) ?? 0,
    take() {
      const key = ready.shift();
      if (key === undefined) return undefined;
      processing.add(key);
      dirty.delete(key);
      return key;
    },
    done(key) {
      processing.delete(key);
      if (dirty.has(key)) ready.push(key);
    },
    addReady() {
      while (delayed[0] && delayed[0].time <= now()) add(popFirst(delayed).key);
    },
    nextTime: () => delayed[0]?.time,
    size: () => ready.length,
  };
}

const tokensPerMs = 0.01;
const maxTokens = 100;

/** Takes a token of a bucket, and returns the delay in milliseconds until it is there. Mirrors golang.org/x/time/rate. */
function reserve(bucket: { tokens: number; time: number }, now: number): number {
  bucket.tokens = Math.min(bucket.tokens + (now - bucket.time) * tokensPerMs, maxTokens) - 1;
  bucket.time = now;
  return Math.max(-bucket.tokens, 0) / tokensPerMs;
}

interface DelayedKey {
  readonly key: string;
  time: number;
}

/** Inserts a key into a heap, unless it is there with an earlier time. A heap as in Go, because it defines the order of equal times. */
function insert(heap: DelayedKey[], entry: DelayedKey): void {
  const index = heap.findIndex(({ key }) => key === entry.key);
  if (index < 0) {
    heap.push(entry);
    moveUp(heap, heap.length - 1);
    return;
  }
  const existing = heap[index] as DelayedKey;
  if (existing.time <= entry.time) return;
  existing.time = entry.time;
  moveUp(heap, index);
}

function popFirst(heap: DelayedKey[]): DelayedKey {
  const first = heap[0] as DelayedKey;
  const last = heap.pop() as DelayedKey;
  if (heap.length > 0) {
    heap[0] = last;
    moveDown(heap);
  }
  return first;
}

function moveUp(heap: DelayedKey[], start: number): void {
  for (let index = start; index > 0; ) {
    const parent = Math.floor((index - 1) / 2);
    if (!isEarlier(heap, index, parent)) return;
    swap(heap, index, parent);
    index = parent;
  }
}

function moveDown(heap: DelayedKey[]): void {
  for (let index = 0; ; ) {
    let child = 2 * index + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && isEarlier(heap, child + 1, child)) child += 1;
    if (!isEarlier(heap, child, index)) return;
    swap(heap, index, child);
    index = child;
  }
}

const isEarlier = (heap: readonly DelayedKey[], a: number, b: number): boolean =>
  (heap[a] as DelayedKey).time < (heap[b] as DelayedKey).time;

function swap(heap: DelayedKey[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as DelayedKey, heap[a] as DelayedKey];
}
