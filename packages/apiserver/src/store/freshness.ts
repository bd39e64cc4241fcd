import { awaited } from './clock.ts';
import { tooLargeResourceVersion } from './errors.ts';
import { canonicalVersion, parseResourceVersion } from './resource-version.ts';
import type { StoreState } from './state.ts';

/** How long the real server waits for a version that it has not seen: `blockTimeout` (1.36, cacher/watch_cache.go). */
export const patience = 3000;

/**
 * Waits until the store has come to a version.
 * @throws ApiError Timeout, after three seconds
 */
export function untilFresh(state: StoreState, resourceVersion: string | undefined, signal?: AbortSignal): Promise<void> {
  const { value } = { value: 0, ...parseResourceVersion(resourceVersion) };
  if (signal?.aborted) return Promise.reject(signal.reason);
  if (value <= state.revision) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      state.waiting.delete(look);
      signal?.removeEventListener('abort', abort);
      timer.cancel();
      settle();
    };
    const look = (): void => {
      if (state.revision >= value) finish(resolve);
    };
    const abort = (): void => finish(() => reject(signal?.reason));
    const giveUp = (): void => finish(() => reject(tooLarge(state, resourceVersion as string)));
    const timer = awaited(state.clock).schedule(giveUp, patience);
    state.waiting.add(look);
    signal?.addEventListener('abort', abort);
  });
}

/** Throws where the store has not come to a version. */
export function requireFresh(state: StoreState, resourceVersion: string, value: number): void {
  if (value > state.revision) throw tooLarge(state, resourceVersion);
}

const tooLarge = (state: StoreState, resourceVersion: string): Error =>
  tooLargeResourceVersion(canonicalVersion(resourceVersion), state.revision);
