import type { Clock } from 'kube-endpoints/port';

/** The timeout of a call, and a signal that cancels it earlier. */
export interface Deadline {
  readonly clock: Clock;
  readonly milliseconds: number;
  /** Cancels the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Creates the error for a call that takes too long. */
  readonly createTimeoutError?: () => Error;
}

/**
 * Makes a call with a timeout. After the timeout, or if the signal is aborted, aborts the call's own signal and rejects at once, whether or
 * not the call itself ever ends.
 */
export function callWithin<T>(
  { clock, milliseconds, signal, createTimeoutError = () => new Error(`no answer within ${Math.ceil(milliseconds)} ms`) }: Deadline,
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
    const timer = clock.schedule(() => giveUp(createTimeoutError()), milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    startCall(call, controller.signal).then(
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

/** Turns a synchronous error of the call into a rejection. */
const startCall = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => call(signal);

/** Resolves after a delay, or as soon as the signal is aborted. The caller must check the signal afterwards. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.schedule(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Returns a controller that is aborted with the first of the signals, at once if one is aborted already. Unlike with AbortSignal.any, an
 * aborted controller is detached from all signals, so that a signal that lives on does not keep it in memory.
 */
export function createLinkedAbortController(...signals: readonly AbortSignal[]): AbortController {
  const controller = new AbortController();
  const link = (signal: AbortSignal): void => {
    const abort = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    controller.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort), { once: true });
  };
  const abortedSignal = signals.find((signal) => signal.aborted);
  if (abortedSignal) controller.abort(abortedSignal.reason);
  else for (const signal of signals) link(signal);
  return controller;
}

/** Resolves when the signal is aborted. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
