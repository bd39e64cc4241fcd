import { quote } from 'kube-endpoints/internal/apimachinery';
import { toKeepAliveClock } from './clock.ts';
import { tooLargeResourceVersion } from './errors.ts';
import { type StoreState, visibleRevisionOf } from './state.ts';

/** A parsed resourceVersion or the reason why it is invalid. */
type ParsedVersion = { readonly value: number; readonly problem?: undefined } | { readonly problem: string };

const maxUint64 = 2n ** 64n - 1n;

/**
 * Parses a resourceVersion; undefined, "" and "0" mean any version.
 *
 * Mirrors APIObjectVersioner.ParseResourceVersion (1.36, apiserver/pkg/storage/api_object_versioner.go), including the messages of strconv.
 */
export function parseResourceVersion(text: string | undefined): ParsedVersion {
  if (text === undefined || text === '' || text === '0') return { value: 0 };
  if (!/^[0-9]+$/.test(text)) return createInvalidVersion(text, 'invalid syntax');
  if (text.length > 15 && BigInt(text) > maxUint64) return createInvalidVersion(text, 'value out of range');
  return { value: Number(text) };
}

/** A resourceVersion as messages show it, without leading zeros. */
export const toCanonicalVersion = (text: string): string => BigInt(text).toString();

const createInvalidVersion = (text: string, problem: string): ParsedVersion => ({
  problem: `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${problem}`,
});

/** Milliseconds to wait for a version that the store has not reached: `blockTimeout` (1.36, cacher/watch_cache.go). */
export const freshnessTimeoutMs = 3000;

/**
 * Waits until the store has reached a version.
 * @throws ApiError Timeout after three seconds; the reason of `signal` if it aborts
 */
export function waitUntilFresh(state: StoreState, resourceVersion: string | undefined, signal?: AbortSignal): Promise<void> {
  const { value } = { value: 0, ...parseResourceVersion(resourceVersion) };
  if (signal?.aborted) return Promise.reject(signal.reason);
  if (value <= state.publishedRevision) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      state.waiters.delete(check);
      signal?.removeEventListener('abort', abort);
      timer.cancel();
      settle();
    };
    const check = (): void => {
      if (state.publishedRevision >= value) finish(resolve);
    };
    const abort = (): void => finish(() => reject(signal?.reason));
    const onTimeout = (): void => finish(() => reject(createTooLargeError(state, resourceVersion as string)));
    const timer = toKeepAliveClock(state.clock).schedule(onTimeout, freshnessTimeoutMs);
    state.waiters.add(check);
    signal?.addEventListener('abort', abort);
  });
}

/** @throws ApiError Timeout if the store has not reached the version */
export function requireFresh(state: StoreState, resourceVersion: string, value: number): void {
  if (value > visibleRevisionOf(state)) throw createTooLargeError(state, resourceVersion);
}

const createTooLargeError = (state: StoreState, resourceVersion: string): Error =>
  tooLargeResourceVersion(toCanonicalVersion(resourceVersion), visibleRevisionOf(state));
