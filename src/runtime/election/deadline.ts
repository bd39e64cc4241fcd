import type { Clock } from '../../port/index.ts';

/**
 * Makes a call that has to be answered within so many milliseconds. When it is not, or the signal is aborted before, the call's own
 * signal is aborted and the promise rejected at once: whether the call itself ever ends does not matter.
 */
export function callWithin<T>(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const controller = new AbortController();
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    };
    const give = (reason: unknown): void => {
      end();
      reject(reason);
      controller.abort(reason);
    };
    const abort = (): void => give(signal?.reason);
    const timer = clock.schedule(() => give(new Error(`no answer within ${Math.ceil(milliseconds)} ms`)), milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    start(call, controller.signal).then(
      (value) => {
        end();
        resolve(value);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}

/** What a call throws at once is a rejection like any other. */
const start = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => call(signal);
