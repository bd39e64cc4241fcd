import type { Clock } from '../../../port/index.ts';

/**
 * Calls for something that has to come within so many milliseconds. Rejects with the outer signal's reason as soon as that is
 * aborted, and with `late()` when the time is over; the call is aborted then, and whatever becomes of it, nobody waits.
 */
export function withDeadline<T>(
  { clock, milliseconds, signal, late }: { clock: Clock; milliseconds: number; signal: AbortSignal; late: () => Error },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => fail(signal.reason);
    const timer = clock.schedule(() => fail(late()), milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    begin(call, controller.signal).then((value) => {
      leave();
      resolve(value);
    }, fail);
  });
}

/** What is thrown instead of a promise's rejection is one, too. */
async function begin<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return call(signal);
}
