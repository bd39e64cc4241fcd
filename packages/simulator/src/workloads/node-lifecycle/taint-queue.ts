import { createHeap } from '../../go/heap.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/**
 * The nodes of a zone that wait for a NoExecute taint. Mirrors RateLimitedTimedQueue (1.36, pkg/controller/nodelifecycle/scheduler). Times are in
 * milliseconds since the epoch, rates in nodes per second.
 */
export interface TaintQueue {
  /** Adds a node, unless it was added before and not removed since. */
  add(node: string, now: number): void;
  /** Lets a node be added again. Returns whether it was added before. */
  remove(node: string): boolean;
  /** The first node, if the rate allows to handle it now. */
  takeTurn(now: () => number): TaintTurn | undefined;
  /** Whether `takeTurn` may return a node some time, without further changes. */
  isWaiting(): boolean;
  setRate(rate: number, now: number): void;
}

export interface TaintTurn {
  readonly node: string;
  /** The node is handled: it stays added. */
  succeed(): void;
  /** Tries again after a delay in milliseconds. */
  retryAfter(delay: number): void;
}

interface Entry {
  readonly node: string;
  readonly processAt: number;
  /** Whether it is due a nanosecond after `processAt`. */
  readonly isRetry: boolean;
}

export function createTaintQueue(rate: number): TaintQueue {
  const entries = createHeap<Entry>((a, b) => a.processAt < b.processAt || (a.processAt === b.processAt && !a.isRetry && b.isRetry));
  const waiting = new Map<string, Entry>();
  const added = new Set<string>();
  let limiter: RateLimiter = createRateLimiter(rate);
  const drop = (node: string): boolean => {
    const entry = waiting.get(node);
    if (entry) entries.delete(entry);
    return waiting.delete(node);
  };
  const push = (entry: Entry): void => {
    entries.push(entry);
    waiting.set(entry.node, entry);
  };
  return {
    add(node, now) {
      if (added.has(node)) return;
      added.add(node);
      push({ node, processAt: now, isRetry: false });
    },
    remove(node) {
      drop(node);
      return added.delete(node);
    },
    takeTurn(now) {
      const first = entries.peek();
      if (!first || !limiter.tryAccept(now())) return undefined;
      const start = now();
      if (start < first.processAt || (start === first.processAt && first.isRetry)) return undefined;
      const { node } = first;
      return {
        node,
        succeed: () => {
          if (added.has(node)) drop(node);
        },
        retryAfter: (delay) => {
          if (drop(node)) push({ node, processAt: start + delay, isRetry: true });
        },
      };
    },
    isWaiting: () => waiting.size > 0 && limiter.rate > 0,
    setRate(next, now) {
      if (limiter.reportedRate === Math.fround(next)) return;
      const former = limiter;
      limiter = createRateLimiter(next);
      if (next > 0 && !former.tryAccept(now)) limiter.tryAccept(now);
    },
  };
}
