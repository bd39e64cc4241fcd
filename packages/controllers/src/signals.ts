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
