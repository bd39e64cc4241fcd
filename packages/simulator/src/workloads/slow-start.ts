import type { ApiError } from 'kube-endpoints/port';
import type { Steps, SyncError } from '../controller/controller.ts';
import { inParallel } from '../controller/effects.ts';

export interface BatchResult {
  readonly successes: number;
  /** The first failure. */
  readonly error?: ApiError | SyncError;
}

/**
 * Runs `count` steps in parallel batches of 1, 2, 4, 8 and so on; after a batch with a failure, the others are skipped. Mirrors slowStartBatch
 * (1.36, pkg/controller/replicaset/replica_set.go).
 * @param run returns the failure, if any
 */
export function* slowStartBatches(
  count: number,
  run: (index: number) => Steps<BatchResult['error']>,
  maxSize: number = count,
): Steps<BatchResult> {
  let done = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - done, maxSize)) {
    const errors: NonNullable<BatchResult['error']>[] = [];
    const first = done;
    yield* inParallel(
      Array.from({ length: size }, function* (_, i): Steps {
        const error = yield* run(first + i);
        if (error) errors.push(error);
      }),
    );
    done += size;
    if (errors[0]) return { successes: done - errors.length, error: errors[0] };
  }
  return { successes: done };
}
