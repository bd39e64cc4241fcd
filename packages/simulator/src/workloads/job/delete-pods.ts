import { hasReason } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { inParallel } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { deletePod } from '../pod-control.ts';
import { isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { Failure, JobSync } from './context.ts';
import { removeFinalizer } from './finalizers.ts';

export interface Deletions {
  /** Pods that are deleted or gone. */
  readonly deleted: number;
  readonly error?: Failure;
}

/**
 * Deletes pods of a Job that has ended, which keep their finalizers until the status counts them: deleteActivePods (1.36,
 * pkg/controller/job/job_controller.go).
 */
export const deleteCountedPods = (sync: JobSync, pods: readonly Pod[]): Steps<Deletions> =>
  deleteInParallel(sync, pods, function* (pod) {
    const error = yield* catchFailure(deletePod(pod, sync.job));
    if (isPodReady(pod)) sync.ready -= 1;
    return error;
  });

/** Deletes surplus pods, which the status does not count: deleteJobPods. */
export function* deleteSurplusPods(sync: JobSync, pods: readonly Pod[]): Steps<Deletions> {
  const { expectations, consistency, key } = sync;
  expectations.expect(key, { creations: 0, deletions: pods.length });
  return yield* deleteInParallel(sync, pods, function* (pod) {
    const patchError = yield* catchFailure(removeFinalizer(consistency, pod));
    const error = patchError ?? (yield* catchFailure(deletePod(pod, sync.job)));
    // The cache will not show this deletion.
    if (error) expectations.observeDeletion(key);
    if (!patchError && isPodReady(pod)) sync.ready -= 1;
    return error;
  });
}

function* deleteInParallel(sync: JobSync, pods: readonly Pod[], remove: (pod: Pod) => Steps<Failure | undefined>): Steps<Deletions> {
  const failures: Failure[] = [];
  yield* inParallel(
    pods.map(function* (pod): Steps {
      const error = yield* remove(pod);
      if (error && !hasReason(error, 'NotFound')) failures.push(error);
    }),
  );
  const deleted = pods.length - failures.length;
  sync.terminating += deleted;
  return { deleted, ...(failures[0] && { error: failures[0] }) };
}
