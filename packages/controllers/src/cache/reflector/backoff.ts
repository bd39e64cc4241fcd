import type { SteadyClock } from 'kube-endpoints/port';

/** How long to wait before the next attempt. */
export interface Backoff {
  /** Grows from call to call, until all has been well for a while. */
  grow(): number;
  /** The shortest wait: nothing grows of it. */
  least(): number;
}

/**
 * The delays of client-go's reflector: from 800 ms doubled up to 30 s, each lengthened at random up to twice itself; from the
 * beginning again once no delay has been asked for within two minutes of the last one's end. Measured in time that passed, so that
 * a clock that is set changes nothing.
 *
 * Mirrors the delayHandler of NewReflectorWithOptions (client-go 1.36, tools/cache/reflector.go), which begins anew every two minutes.
 */
export function createBackoff(clock: Pick<SteadyClock, 'elapsed'>, random: () => number): Backoff {
  let next = first;
  let over = Number.NEGATIVE_INFINITY;
  return {
    grow() {
      const now = clock.elapsed();
      if (now - over >= reset) next = first;
      const delay = jittered(next, random);
      over = now + delay;
      next = Math.min(next * 2, most);
      return delay;
    },
    least: () => jittered(first, random),
  };
}

const first = 800;
const most = 30_000;
const reset = 120_000;

const jittered = (milliseconds: number, random: () => number): number => milliseconds * (1 + random());
