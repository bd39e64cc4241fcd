/**
 * Exponential delays by key, without jitter. Times and durations are in milliseconds. Mirrors `Backoff` (1.36,
 * client-go/util/flowcontrol/backoff.go).
 */
export interface BackOff {
  /** The current delay of a key; 0 if it has none. */
  get(key: string): number;
  /** Doubles the delay of a key up to the maximum; starts again with the initial one if its entry has expired at `eventTime`. */
  next(key: string, eventTime: number): void;
  /** Whether less than the current delay has passed since `eventTime`. */
  isInBackOffSince(key: string, eventTime: number): boolean;
  /** Whether `eventTime` is less than the current delay after the last call of `next`. */
  isInBackOffSinceUpdate(key: string, eventTime: number): boolean;
  /** Removes expired entries. */
  collect(): void;
}

export interface BackOffOptions {
  readonly initial: number;
  readonly max: number;
  /** An entry expires this long after the last call of `next`. By default twice the maximum. */
  readonly expiry?: number;
  now(): number;
}

export function createBackOff({ initial, max, expiry = 2 * max, now }: BackOffOptions): BackOff {
  const entries = new Map<string, { delay: number; updatedAt: number }>();
  const find = (key: string, time: number): { delay: number; updatedAt: number } | undefined => {
    const entry = entries.get(key);
    return entry && time - entry.updatedAt <= expiry ? entry : undefined;
  };
  return {
    get: (key) => entries.get(key)?.delay ?? 0,
    next(key, eventTime) {
      const entry = find(key, eventTime);
      entries.set(key, { delay: entry ? Math.min(entry.delay * 2, max) : initial, updatedAt: now() });
    },
    isInBackOffSince: (key, eventTime) => now() - eventTime < (find(key, eventTime)?.delay ?? Number.NEGATIVE_INFINITY),
    isInBackOffSinceUpdate(key, eventTime) {
      const entry = find(key, eventTime);
      return !!entry && eventTime - entry.updatedAt < entry.delay;
    },
    collect() {
      for (const key of entries.keys()) if (!find(key, now())) entries.delete(key);
    },
  };
}
