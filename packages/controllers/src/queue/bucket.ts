import type { SteadyClock } from 'kube-endpoints/port';

/** A bucket of tokens that fills up evenly. As golang.org/x/time/rate's Limiter. */
export interface Bucket {
  /** Takes a token, one of the future where there is none, and answers after how many milliseconds it is there. */
  reserve(): number;
  /** Takes a token where there is one. */
  accept(): boolean;
}

export interface BucketOptions {
  readonly clock: SteadyClock;
  /** Tokens a second. */
  readonly rate: number;
  /** How many it holds, and holds at first. */
  readonly burst: number;
}

export function createBucket({ clock, rate, burst }: BucketOptions): Bucket {
  let tokens = burst;
  let last = clock.elapsed();
  /** What would be left. */
  const without = (now: number): number => Math.min(burst, tokens + (Math.max(0, now - last) / 1000) * rate) - 1;
  const take = (now: number, left: number): void => {
    tokens = left;
    last = now;
  };
  return {
    reserve() {
      const now = clock.elapsed();
      take(now, without(now));
      return delayOf(tokens, rate);
    },
    accept() {
      const now = clock.elapsed();
      const left = without(now);
      if (delayOf(left, rate) > 0) return false;
      take(now, left);
      return true;
    },
  };
}

/** Milliseconds until nothing is owed, cut to whole nanoseconds: so a rounding error delays nobody. */
const delayOf = (tokens: number, rate: number): number => (tokens < 0 ? Math.floor((-tokens / rate) * 1e9) / 1e6 : 0);
