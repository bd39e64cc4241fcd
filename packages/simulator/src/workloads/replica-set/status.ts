import { createRequirementsMatcher, deepEqual, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import type { Steps, SyncError } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { isPodAvailable, isPodReady } from '../pods.ts';
import { formatTime } from '../time.ts';
import type { Condition, Pod, ReplicaSet, ReplicaSetStatus } from '../types.ts';

export interface StatusInput {
  /** The claimed Pods that count as replicas. */
  readonly activePods: readonly Pod[];
  readonly terminatingPods: readonly Pod[];
  /** The failure to create or delete Pods, if any. */
  readonly error: ApiError | SyncError | undefined;
  readonly now: number;
}

/** The status of a ReplicaSet after a sync. Mirrors calculateStatus (1.36, pkg/controller/replicaset/replica_set_utils.go). */
export function computeStatus(replicaSet: ReplicaSet, { activePods, terminatingPods, error, now }: StatusInput): ReplicaSetStatus {
  const { replicas, minReadySeconds = 0, template } = replicaSet.spec;
  const hasTemplateLabels = createRequirementsMatcher(requirementsOf({ matchLabels: template.metadata?.labels }));
  return {
    ...replicaSet.status,
    replicas: activePods.length,
    fullyLabeledReplicas: activePods.filter(({ metadata }) => hasTemplateLabels(metadata.labels ?? {})).length,
    readyReplicas: activePods.filter(isPodReady).length,
    availableReplicas: activePods.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
    terminatingReplicas: terminatingPods.length,
    conditions: updateFailureCondition(replicaSet.status?.conditions ?? [], activePods.length - replicas, error, now),
  };
}

/** Adds the condition ReplicaFailure at the first failure, and removes it after a success. */
function updateFailureCondition(
  conditions: readonly Condition[],
  surplus: number,
  error: StatusInput['error'],
  now: number,
): readonly Condition[] {
  const type = 'ReplicaFailure';
  if (!error) return conditions.filter((condition) => condition.type !== type);
  if (conditions.some((condition) => condition.type === type)) return conditions;
  const reason = surplus < 0 ? 'FailedCreate' : 'FailedDelete';
  return [...conditions, { type, status: 'True', lastTransitionTime: formatTime(now), reason, message: error.message }];
}

const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

/**
 * Writes a status if it has changed, with one retry on the newest ReplicaSet. Returns the stored ReplicaSet. Mirrors
 * updateReplicaSetStatus (1.36, pkg/controller/replicaset/replica_set_utils.go).
 * @throws ApiError if both writes fail
 */
export function* updateStatus(replicaSet: ReplicaSet, status: ReplicaSetStatus): Steps<ReplicaSet> {
  const { metadata, status: old = {} } = replicaSet;
  const isSame =
    [...counts, 'replicas' as const].every((count) => (old[count] ?? 0) === (status[count] ?? 0)) &&
    old.terminatingReplicas === status.terminatingReplicas &&
    (metadata.generation ?? 0) === (old.observedGeneration ?? 0) &&
    deepEqual(old.conditions ?? [], status.conditions ?? []);
  if (isSame) return replicaSet;
  const encoded = encodeStatus({ ...status, observedGeneration: metadata.generation ?? 0 });
  try {
    return yield* writeStatus(replicaSet, encoded);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { namespace = '', name = '' } = metadata;
    return yield* writeStatus(yield* perform<ReplicaSet>({ do: 'get', kind: 'ReplicaSet', namespace, name }), encoded);
  }
}

const writeStatus = (replicaSet: ReplicaSet, status: ReplicaSetStatus): Steps<ReplicaSet> =>
  perform({ do: 'update', kind: 'ReplicaSet', object: { ...replicaSet, status }, subresource: 'status' });

/** Go omits all counts but `replicas` if they are 0. */
function encodeStatus({ conditions = [], observedGeneration = 0, ...status }: ReplicaSetStatus): ReplicaSetStatus {
  const nonZero = Object.fromEntries(counts.filter((count) => (status[count] ?? 0) !== 0).map((count) => [count, status[count]]));
  return {
    replicas: status.replicas ?? 0,
    ...nonZero,
    ...(status.terminatingReplicas !== undefined && { terminatingReplicas: status.terminatingReplicas }),
    ...(observedGeneration !== 0 && { observedGeneration }),
    ...(conditions.length > 0 && { conditions }),
  };
}
