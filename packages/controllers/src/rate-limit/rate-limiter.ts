import { type ScheduledCall, type SteadyClock, systemClock } from 'kube-endpoints/port';
import { describeValue } from '../base/checks.ts';
import { createTokenBucket, type Reservation } from './token-bucket.ts';

export interface RateLimiterOptions {
  /** Requests per second in the long run; 20 by default, as --kube-api-qps of kube-controller-manager. */
  readonly qps?: number;
  /** Requests that may be sent at once; 30 by default, as --kube-api-burst. */
  readonly burst?: number;
  /** Defaults to the system clock. */
  readonly clock?: SteadyClock;
}

/** Client-go's rate limiter: a token bucket. One limiter can be shared by several ports. */
export interface RateLimiter {
  /** Resolves when the next request may be sent, in the order of the calls. Rejects with the signal's reason if it is aborted first. */
  wait(signal?: AbortSignal): Promise<void>;
  /** The share of the burst that is in use: 0 if the bucket is full, 1 if it is empty, more if requests are waiting. */
  readonly saturation: number;
}

/**
 * Creates a rate limiter. Mirrors Wait of client-go's flowcontrol (1.37, util/flowcontrol/throttle.go): an aborted request gives its token
 * back only if no later request is waiting.
 * @throws RangeError that names the invalid option
 */
export function createRateLimiter({ qps = 20, burst = 30, clock = systemClock }: RateLimiterOptions = {}): RateLimiter {
  if (!(Number.isFinite(qps) && Math.fround(qps) > 0)) throw new RangeError(`qps is ${describeValue(qps)}: give a number greater than 0`);
  if (!(Number.isSafeInteger(burst) && burst > 0))
    throw new RangeError(`burst is ${describeValue(burst)}: give a whole number of at least 1`);
  const bucket = createTokenBucket({ qps, burst });
  const readTime = (): number => Math.round(clock.elapsed() * nanosecondsPerMillisecond);
  const waiters = createWaiters(clock, readTime, (reservation) => bucket.cancel(reservation, readTime()));
  return {
    async wait(signal) {
      if (signal?.aborted) throw signal.reason;
      const time = readTime();
      const reservation = bucket.reserve(time);
      if (reservation.timeToAct > time || !waiters.isEmpty) await waiters.add(reservation, signal);
    },
    get saturation() {
      return (burst - bucket.tokensAt(readTime())) / burst;
    },
  };
}

interface Waiters {
  readonly isEmpty: boolean;
  /** Resolves when the reservation is due and all earlier waiters are released. Rejects with the signal's reason. */
  add(reservation: Reservation, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Creates a queue with one timer, for its first waiter, so that no waiter overtakes another.
 * @param onAbort called at once with the reservation of an aborted waiter
 */
function createWaiters(clock: SteadyClock, readTime: () => number, onAbort: (reservation: Reservation) => void): Waiters {
  const queue = new Map<Reservation, () => void>();
  let timer: ScheduledCall | undefined;
  const releaseDue = (): void => {
    timer = undefined;
    const time = readTime();
    for (const [reservation, release] of queue) {
      if (reservation.timeToAct > time) break;
      release();
    }
    schedule();
  };
  const schedule = (): void => {
    const [first] = queue.keys();
    timer?.cancel();
    timer = first && clock.schedule(releaseDue, Math.ceil(Math.max(0, first.timeToAct - readTime()) / nanosecondsPerMillisecond));
  };
  return {
    get isEmpty() {
      return queue.size === 0;
    },
    add: (reservation, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.delete(reservation);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          leave();
          onAbort(reservation);
          schedule();
          reject(signal?.reason);
        };
        queue.set(reservation, () => {
          leave();
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
        if (queue.size === 1) schedule();
      }),
  };
}

const nanosecondsPerMillisecond = 1e6;
