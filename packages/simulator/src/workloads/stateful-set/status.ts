import type { Steps } from '../../controller/controller.ts';
import { isPodAvailable } from '../pods.ts';
import { defaultRetry, retryOnConflict } from '../retry.ts';
import type { Pod } from '../types.ts';
import { type Access, write } from './claim-control.ts';
import { revisionNameOf } from './identity.ts';
import { replicasOf, type StatefulSet, type StatefulSetStatus } from './objects.ts';
import { isCreated, isRunningAndReady, isTerminating } from './pod-state.ts';
import type { Revisions } from './revisions.ts';

/** The status of a StatefulSet for these pods: updateStatus (1.36, pkg/controller/statefulset/stateful_set_control.go). */
export function computeStatus(set: StatefulSet, revisions: Revisions, pods: readonly Pod[], now: number): StatefulSetStatus {
  const count = (predicate: (pod: Pod) => boolean): number => pods.filter(predicate).length;
  const isOfRevision = (pod: Pod, name: string | undefined): boolean =>
    isCreated(pod) && !isTerminating(pod) && revisionNameOf(pod) === name;
  const [current = '', update = ''] = [revisions.current.metadata.name, revisions.update.metadata.name];
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: count(isCreated),
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count((pod) => isRunningAndReady(pod) && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now)),
    currentReplicas: count((pod) => isOfRevision(pod, current)),
    updatedReplicas: count((pod) => isOfRevision(pod, update)),
    currentRevision: current,
    updateRevision: update,
    collisionCount: revisions.collisionCount,
  };
}

/** Completes a rolling update if all replicas are updated and ready: completeRollingUpdate (1.36, stateful_set_utils.go). */
export function completeRollingUpdate(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const isComplete =
    set.spec.updateStrategy?.type === 'RollingUpdate' &&
    [status.updatedReplicas, status.readyReplicas, status.replicas].every((count) => count === replicasOf(set));
  return isComplete ? { ...status, currentReplicas: status.updatedReplicas ?? 0, currentRevision: status.updateRevision ?? '' } : status;
}

const comparedFields = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'availableReplicas',
  'updateRevision',
] as const;

/** Whether a status must be written: inconsistentStatus (1.36, stateful_set_utils.go). */
function isStatusInconsistent({ status }: StatefulSet, wanted: StatefulSetStatus): boolean {
  if ((wanted.observedGeneration ?? 0) > (status?.observedGeneration ?? 0)) return true;
  return comparedFields.some((field) => (status?.[field] || undefined) !== (wanted[field] || undefined));
}

/** Writes the status of a StatefulSet unless it has it: UpdateStatefulSetStatus (1.36, stateful_set_status_updater.go). */
export function* updateStatus(access: Access, original: StatefulSet, status: StatefulSetStatus): Steps {
  if (!isStatusInconsistent(original, status)) return;
  let set = original;
  yield* retryOnConflict(defaultRetry, function* () {
    try {
      yield* write(access, set, {
        do: 'update',
        kind: 'StatefulSet',
        subresource: 'status',
        object: { ...set, status: printStatus(status) },
      });
    } catch (error) {
      const { namespace = '', name = '' } = set.metadata;
      set = (access.cache.get('StatefulSet', namespace, name) as StatefulSet | undefined) ?? set;
      throw error;
    }
  });
}

/** Drops the zero values that the API omits. */
function printStatus(status: StatefulSetStatus): StatefulSetStatus {
  const required: readonly string[] = ['replicas', 'availableReplicas', 'collisionCount'];
  return Object.fromEntries(
    Object.entries(status).filter(([field, value]) => required.includes(field) || (value !== 0 && value !== '')),
  ) as unknown as StatefulSetStatus;
}
