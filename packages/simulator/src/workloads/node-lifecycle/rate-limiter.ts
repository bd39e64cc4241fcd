/** A token bucket of one token, which is full at first. Mirrors tokenBucketRateLimiter and fakeNeverRateLimiter (1.36, client-go/util/flowcontrol). */
export interface RateLimiter {
  /** Tokens per second; 0 if it accepts nothing. */
  readonly rate: number;
  /** What its method QPS returns: 1 if it accepts nothing. */
  readonly reportedRate: number;
  /** Takes a token if there is one. @param now milliseconds since the epoch */
  tryAccept(now: number): boolean;
}

/** @param rate tokens per second, rounded to 32 bits as upstream does */
export function createRateLimiter(rate: number): RateLimiter {
  if (rate <= 0) return { rate: 0, reportedRate: 1, tryAccept: () => false };
  const limit = Math.fround(rate);
  let tokens = 1;
  let last: number | undefined;
  return {
    rate: limit,
    reportedRate: limit,
    tryAccept(now) {
      const available = last === undefined ? 1 : Math.min(1, tokens + ((now - last) / 1000) * limit);
      // Less than a nanosecond is missing.
      if (available < 1 && Math.trunc(((1 - available) / limit) * 1e9) > 0) return false;
      tokens = available - 1;
      last = now;
      return true;
    },
  };
}
