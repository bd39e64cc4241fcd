import { type ApiObject, hasReason } from 'kube-endpoints/port';
import type { Call, EventEffect, Steps } from './controller.ts';

/** Makes a call, and returns the object of its answer. @throws ApiError */
export function* perform<T extends ApiObject>(call: Call): Steps<T> {
  return (yield call) as T;
}

/** Makes a call, and returns the object of its answer; undefined if the call fails for one of the reasons. @throws ApiError for others */
export function* performIgnoring<T extends ApiObject>(call: Call, ...reasons: readonly string[]): Steps<T | undefined> {
  try {
    return yield* perform<T>(call);
  } catch (error) {
    if (!hasReason(error, ...reasons)) throw error;
    return undefined;
  }
}

/** Emits an Event about an object. */
export function* emit(object: ApiObject, type: EventEffect['type'], reason: string, message: string): Steps {
  yield { do: 'event', object, type, reason, message };
}

/** Runs steps that the original runs concurrently, in any order. */
export function* inParallel(branches: readonly Steps[]): Steps {
  if (branches.length > 0) yield { do: 'parallel', branches };
}
