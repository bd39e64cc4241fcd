import type { SteadyClock } from 'kube-endpoints/port';

/** Says how long a key waits that has failed. As client-go's workqueue.TypedRateLimiter (1.36, default_rate_limiters.go). */
export interface Limiter {
  /** Counts a failure, and answers how many milliseconds to wait. */
  delay(key: string): number;
  /** Forgets the failures of a key; what is remembered of it goes. */
  forget(key: string): void;
  /** How often the key has failed since it was last forgotten. */
  failures(key: string): number;
}

export interface ExponentialOptions {
  /** Milliseconds after the first failure; each further one doubles them. */
  readonly base?: number;
  /** Milliseconds at most. */
  readonly max?: number;
}

/** Twice as long after each failure of a key. As NewTypedItemExponentialFailureRateLimiter. */
export function exponentialLimiter({ base = 5, max = 1_000_000 }: ExponentialOptions = {}): Limiter {
  const failures = new Map<string, number>();
  return {
    delay(key) {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      return Math.min(base * 2 ** before, max);
    },
    forget: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
  };
}

export interface BucketLimiterOptions {
  readonly clock: SteadyClock;
  /** Retries a second, of all keys together. */
  readonly rate?: number;
  /** How many may come without waiting. */
  readonly burst?: number;
}

/** So many retries a second, whatever their keys. As TypedBucketRateLimiter. */
export function bucketLimiter({ clock, rate = 10, burst = 100 }: BucketLimiterOptions): Limiter {
  const bucket = createBucket({ clock, rate, burst });
  return { delay: () => bucket.reserve(), forget: () => {}, failures: () => 0 };
}

/** The longest wait of several limiters, each of which counts. As NewTypedMaxOfRateLimiter. */
export const maxOf = (...limiters: readonly Limiter[]): Limiter => ({
  delay: (key) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.delay(key)), 0),
  forget(key) {
    for (const limiter of limiters) limiter.forget(key);
  },
  failures: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.failures(key)), 0),
});

/** What the controllers use: 5 ms, doubled up to 1,000 s, and 10 retries a second after the first 100. As DefaultTypedControllerRateLimiter. */
export const defaultLimiter = (clock: SteadyClock): Limiter => maxOf(exponentialLimiter(), bucketLimiter({ clock }));

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
