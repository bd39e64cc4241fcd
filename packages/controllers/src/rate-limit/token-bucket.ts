/** A place in the schedule of a token bucket. */
export interface Reservation {
  /** When the request may be sent, in nanoseconds. */
  readonly timeToAct: number;
}

/** A token bucket. All times are nanoseconds since an arbitrary moment. */
export interface TokenBucket {
  /** The tokens at a time: at most `burst`, negative if requests are waiting. */
  tokensAt(time: number): number;
  /** Takes one token, if necessary a future one. */
  reserve(time: number): Reservation;
  /** Gives the token of a waiting request back, unless a later reservation depends on its place. */
  cancel(reservation: Reservation, time: number): void;
}

/**
 * Creates a bucket that is full at first. Mirrors rate.Limiter (golang.org/x/time/rate, v0.15.0) for one token at a time.
 * @param qps tokens per second; rounded to 32 bits, as in client-go's flowcontrol
 * @param burst the capacity
 */
export function createTokenBucket({ qps, burst }: { readonly qps: number; readonly burst: number }): TokenBucket {
  const limit = Math.fround(qps);
  let [tokens, lastUpdate, lastTimeToAct] = [burst, 0, 0];
  const tokensIn = (duration: number): number => (Math.trunc(duration / second) + (duration % second) / second) * limit;
  const durationOf = (count: number): number => Math.trunc((count / limit) * second);
  const tokensAt = (time: number): number => Math.min(burst, tokens + tokensIn(Math.max(0, time - lastUpdate)));
  return {
    tokensAt,
    reserve(time) {
      tokens = tokensAt(time) - 1;
      lastUpdate = time;
      lastTimeToAct = time + (tokens < 0 ? durationOf(-tokens) : 0);
      return { timeToAct: lastTimeToAct };
    },
    cancel({ timeToAct }, time) {
      if (timeToAct < time) return;
      // Tokens that were reserved later depend on this place.
      const restored = 1 - tokensIn(lastTimeToAct - timeToAct);
      if (restored <= 0) return;
      tokens = Math.min(burst, tokensAt(time) + restored);
      lastUpdate = time;
      const previousTimeToAct = timeToAct + durationOf(-1);
      if (timeToAct === lastTimeToAct && previousTimeToAct >= time) lastTimeToAct = previousTimeToAct;
    },
  };
}

/** In nanoseconds. */
const second = 1e9;
