import { awaited, type Clock } from '../store/index.ts';

/** Those who wait; each is told to stop with an error. */
export type Waiting = Set<(error: unknown) => void>;

/** Waits for time to pass, unless the signal or somebody else ends it before. */
export function pause(clock: Clock, milliseconds: number, waiting: Waiting, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const finish = (): void => {
      call.cancel();
      waiting.delete(stop);
      signal?.removeEventListener('abort', abort);
    };
    const stop = (error: unknown): void => {
      finish();
      reject(error);
    };
    const abort = (): void => stop(signal?.reason);
    const call = awaited(clock).schedule(() => {
      finish();
      resolve();
    }, milliseconds);
    waiting.add(stop);
    signal?.addEventListener('abort', abort);
  });
}
