import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiError } from 'kube-endpoints/port';
import { isFailure, type Steps, SyncError } from '../controller/controller.ts';

/** An error with the text of several: NewAggregate (1.36, apimachinery/pkg/util/errors). Undefined without errors. */
export function aggregateErrors(errors: readonly (ApiError | SyncError)[]): SyncError | undefined {
  if (errors.length === 0) return undefined;
  const messages = [...new Set(errors.map(messageOf))];
  return new SyncError(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
}

/** Runs steps, and returns their failure, if any. */
export function* catchFailure(steps: Steps<unknown>): Steps<ApiError | SyncError | undefined> {
  try {
    yield* steps;
    return undefined;
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
}
