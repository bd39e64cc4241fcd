import type { Clock } from 'kube-endpoints/port';

export interface Deadline {
  readonly clock: Clock;
  readonly milliseconds: number;
  /** Ends the call before its time: it is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** What a call that takes longer is rejected with. */
  readonly late?: () => Error;
}

/**
 * Makes a call that has to be answered within so many milliseconds. When it is not, or the signal is aborted before, the call's own
 * signal is aborted and the promise rejected at once: whether the call itself ever ends does not matter.
 */
export function callWithin<T>(
  { clock, milliseconds, signal, late = () => new Error(`no answer within ${Math.ceil(milliseconds)} ms`) }: Deadline,
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
    const giveUp = (reason: unknown): void => {
      end();
      reject(reason);
      controller.abort(reason);
    };
    const abort = (): void => giveUp(signal?.reason);
    const timer = clock.schedule(() => giveUp(late()), milliseconds);
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

/** Resolves after so many milliseconds, or as soon as the signal is aborted: whoever waits looks at the signal next. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      call.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const call = clock.schedule(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Aborted with the first of the signals, or before. Unlike AbortSignal.any, it holds on to nothing once it is aborted, and is held by nobody
 * who is not.
 */
export function linkedTo(...signals: readonly AbortSignal[]): AbortController {
  const controller = new AbortController();
  const link = (signal: AbortSignal): void => {
    const abort = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    controller.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort), { once: true });
  };
  const early = signals.find((signal) => signal.aborted);
  if (early) controller.abort(early.reason);
  else for (const signal of signals) link(signal);
  return controller;
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
