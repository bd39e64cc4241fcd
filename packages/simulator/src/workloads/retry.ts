import { hasReason } from 'kube-endpoints/port';
import { type Steps, SyncError } from '../controller/controller.ts';

/** The delays of a retry: wait.Backoff (1.36, apimachinery/pkg/util/wait). */
export interface Backoff {
  /** How often the attempt is made. */
  readonly steps: number;
  /** Milliseconds before the second attempt. Upstream adds up to a tenth at random. */
  readonly duration: number;
  readonly factor: number;
}

/** `retry.DefaultRetry` (1.36, client-go/util/retry). */
export const defaultRetry: Backoff = { steps: 5, duration: 10, factor: 1 };
/** `retry.DefaultBackoff` (1.36, client-go/util/retry). */
export const defaultBackoff: Backoff = { steps: 4, duration: 10, factor: 5 };

/** Repeats an attempt while it fails with a conflict: RetryOnConflict (1.36, client-go/util/retry). */
export const retryOnConflict = (backoff: Backoff, attempt: () => Steps): Steps =>
  retryOn(backoff, (error) => isCausedBy(error, 'Conflict'), attempt);

/** Repeats an attempt while it fails in a way that allows it: OnError (1.36, client-go/util/retry). */
export function* retryOn(backoff: Backoff, isRetriable: (error: unknown) => boolean, attempt: () => Steps): Steps {
  for (let step = 1; ; step += 1) {
    try {
      return yield* attempt();
    } catch (error) {
      if (step >= backoff.steps || !isRetriable(error)) throw error;
    }
    yield { do: 'wait', milliseconds: backoff.duration * backoff.factor ** (step - 1) };
  }
}

/** Whether an error, or an error that it wraps as its cause, is an ApiError with one of these reasons. */
export const isCausedBy = (error: unknown, ...reasons: readonly string[]): boolean =>
  hasReason(error, ...reasons) || (error instanceof SyncError && isCausedBy(error.cause, ...reasons));
