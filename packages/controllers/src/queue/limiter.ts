import type { SteadyClock } from 'kube-endpoints/port';

/** Determines how long a key waits after a failure. Mirrors workqueue.TypedRateLimiter (client-go 1.36, default_rate_limiters.go). */
export interface Limiter {
  /** Counts a failure and returns the delay in milliseconds. */
  delay(key: string): number;
  /** Resets the failures of a key and frees its state. */
  forget(key: string): void;
  /** Number of failures of the key since the last `forget`. */
  failures(key: string): number;
}

export interface ExponentialOptions {
  /** Delay in milliseconds after the first failure; doubled by each further failure. 5 by default. */
  readonly base?: number;
  /** Maximum delay in milliseconds; 1,000,000 by default. */
  readonly max?: number;
}

/** Doubles the delay after each failure of a key. Mirrors NewTypedItemExponentialFailureRateLimiter. */
export function createExponentialLimiter({ base = 5, max = 1_000_000 }: ExponentialOptions = {}): Limiter {
  const failures = new Map<string, number>();
  return {
    delay(key) {
      const previousFailures = failures.get(key) ?? 0;
      failures.set(key, previousFailures + 1);
      return Math.min(base * 2 ** previousFailures, max);
    },
    forget: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
  };
}

export interface BucketLimiterOptions {
  readonly clock: SteadyClock;
  /** Retries per second, for all keys together; 10 by default. */
  readonly rate?: number;
  /** Number of retries without a delay; 100 by default. */
  readonly burst?: number;
}

/** Limits the rate of retries, for all keys together. Mirrors TypedBucketRateLimiter. */
export function createBucketLimiter({ clock, rate = 10, burst = 100 }: BucketLimiterOptions): Limiter {
  const bucket = createBucket({ clock, rate, burst });
  return { delay: () => bucket.reserve(), forget: () => {}, failures: () => 0 };
}

/** Combines limiters: returns their longest delay; every limiter counts the failure. Mirrors NewTypedMaxOfRateLimiter. */
export const combineLimiters = (...limiters: readonly Limiter[]): Limiter => ({
  delay: (key) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.delay(key)), 0),
  forget(key) {
    for (const limiter of limiters) limiter.forget(key);
  },
  failures: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.failures(key)), 0),
});

/** The controllers' default: 5 ms doubled up to 1,000 s, and 10 retries/s after the first 100. Mirrors DefaultTypedControllerRateLimiter. */
export const defaultLimiter = (clock: SteadyClock): Limiter => combineLimiters(createExponentialLimiter(), createBucketLimiter({ clock }));

/** A token bucket that fills up evenly. Mirrors Limiter of golang.org/x/time/rate. */
export interface Bucket {
  /** Takes a token, a future one if the bucket is empty, and returns the milliseconds until it is available. */
  reserve(): number;
  /** Takes a token if one is available, and returns whether it took one. */
  accept(): boolean;
}

export interface BucketOptions {
  readonly clock: SteadyClock;
  /** Tokens per second. */
  readonly rate: number;
  /** Capacity and initial number of tokens. */
  readonly burst: number;
}

export function createBucket({ clock, rate, burst }: BucketOptions): Bucket {
  let tokens = burst;
  let lastUpdate = clock.elapsed();
  /** Number of tokens remaining after taking one; negative if the bucket is empty. */
  const tokensAfter = (now: number): number => Math.min(burst, tokens + (Math.max(0, now - lastUpdate) / 1000) * rate) - 1;
  const setTokens = (now: number, remaining: number): void => {
    tokens = remaining;
    lastUpdate = now;
  };
  return {
    reserve() {
      const now = clock.elapsed();
      setTokens(now, tokensAfter(now));
      return delayOf(tokens, rate);
    },
    accept() {
      const now = clock.elapsed();
      const remaining = tokensAfter(now);
      if (delayOf(remaining, rate) > 0) return false;
      setTokens(now, remaining);
      return true;
    },
  };
}

/** Milliseconds until the balance is no longer negative. Truncated to whole nanoseconds, so that a rounding error causes no delay. */
const delayOf = (tokens: number, rate: number): number => (tokens < 0 ? Math.floor((-tokens / rate) * 1e9) / 1e6 : 0);
