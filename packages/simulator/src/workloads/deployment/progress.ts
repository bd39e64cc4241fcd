import type { Steps } from '../../controller/controller.ts';
import { parseTime } from '../time.ts';
import type { Condition, Deployment, DeploymentStatus, ReplicaSet } from '../types.ts';
import { createCondition, findCondition, removeCondition, setCondition } from './conditions.ts';
import type { DeploymentSync } from './context.ts';
import { computeStatus, isSameStatus, writeStatus } from './status.ts';

/** Progress of rollouts and its deadline. Mirrors pkg/controller/deployment/progress.go of 1.36. */

const noDeadline = 2 ** 31 - 1;

export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline;

/**
 * Writes the status of a rollout with its conditions Progressing and ReplicaFailure, unless it is unchanged; then it requeues the Deployment
 * for its deadline. Mirrors syncRolloutStatus.
 * @throws ApiError
 */
export function* updateRolloutStatus(
  sync: DeploymentSync,
  all: readonly (ReplicaSet | undefined)[],
  newReplicaSet: ReplicaSet | undefined,
): Steps {
  const { context, deployment } = sync;
  const now = context.now();
  const computed = computeStatus(deployment, all, newReplicaSet, now);
  const conditions = setReplicaFailure(estimateProgress(deployment, computed, newReplicaSet, now), all, newReplicaSet);
  const status = { ...computed, conditions };
  if (isSameStatus(deployment.status, status)) requeueForDeadline(sync, status);
  else yield* writeStatus({ ...deployment, status });
}

/** Returns the conditions with an updated condition Progressing. */
function estimateProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): readonly Condition[] {
  const { conditions = [] } = status;
  if (!hasProgressDeadline(deployment)) return removeCondition(conditions, 'Progressing');
  const current = findCondition(deployment.status?.conditions, 'Progressing');
  // A resync after the rollout: there is no progress to estimate.
  if (status.replicas === status.updatedReplicas && current?.reason === 'NewReplicaSetAvailable') return conditions;
  const subject = newReplicaSet ? `ReplicaSet "${newReplicaSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const set = (value: string, reason: string, message: string): readonly Condition[] =>
    setCondition(conditions, createCondition('Progressing', value, reason, `${subject} ${message}`, now));
  if (isComplete(deployment, status)) return set('True', 'NewReplicaSetAvailable', 'has successfully progressed.');
  if (isProgressing(deployment.status, status))
    return renewProgressing(
      conditions,
      current,
      createCondition('Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`, now),
    );
  if (isTimedOut(deployment, conditions, now)) return set('False', 'ProgressDeadlineExceeded', 'has timed out progressing.');
  return conditions;
}

/** Replaces the condition even if only its update time changes: the deadline starts again. */
function renewProgressing(conditions: readonly Condition[], current: Condition | undefined, condition: Condition): readonly Condition[] {
  const { lastTransitionTime } = current?.status === 'True' ? current : condition;
  return [...removeCondition(conditions, 'Progressing'), { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) }];
}

/** Whether all Pods are new and available: `DeploymentComplete`. */
export const isComplete = ({ metadata, spec }: Deployment, status: DeploymentStatus = {}): boolean =>
  (status.updatedReplicas ?? 0) === spec.replicas &&
  (status.replicas ?? 0) === spec.replicas &&
  (status.availableReplicas ?? 0) === spec.replicas &&
  (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** Whether there are more new, ready or available Pods, or fewer old ones: `DeploymentProgressing`. */
function isProgressing(before: DeploymentStatus = {}, after: DeploymentStatus): boolean {
  const oldReplicasOf = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldReplicasOf(after) < oldReplicasOf(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Whether the deadline has passed since the last progress: `DeploymentTimedOut`. */
function isTimedOut(deployment: Deployment, conditions: readonly Condition[], now: number): boolean {
  const condition = findCondition(conditions, 'Progressing');
  if (!condition || condition.reason === 'NewReplicaSetAvailable') return false;
  return condition.reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment, condition) < now;
}

const deadlineOf = ({ spec }: Deployment, { lastUpdateTime }: Condition): number =>
  (parseTime(lastUpdateTime) ?? zeroTime) + (spec.progressDeadlineSeconds ?? 0) * 1000;

/** Go's zero time, in milliseconds since the epoch. */
const zeroTime = -62_135_596_800_000;

/** Moves the failure of a ReplicaSet, of the new one first, to the Deployment. */
function setReplicaFailure(
  conditions: readonly Condition[],
  all: readonly (ReplicaSet | undefined)[],
  newReplicaSet: ReplicaSet | undefined,
): readonly Condition[] {
  const failure = [newReplicaSet, ...all]
    .flatMap((replicaSet) => replicaSet?.status?.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure');
  if (!failure) return removeCondition(conditions, 'ReplicaFailure');
  const { lastTransitionTime } = failure;
  return setCondition(conditions, { ...failure, ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }) });
}

/** Requeues a rollout without progress for one second after its deadline. Mirrors requeueStuckDeployment. */
function requeueForDeadline({ context, deployment, key, queue }: DeploymentSync, status: DeploymentStatus): void {
  const condition = findCondition(deployment.status?.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition) return;
  if (isComplete(deployment, status) || condition.reason === 'ProgressDeadlineExceeded') return;
  const delay = deadlineOf(deployment, condition) - context.now();
  if (delay < 1000) queue.addRateLimited(key);
  else queue.addAfter(key, delay + 1000);
}
