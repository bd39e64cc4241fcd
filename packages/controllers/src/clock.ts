import type { Clock } from 'kube-endpoints/port';

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
