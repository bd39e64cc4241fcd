import { ApiError } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import type { DeploymentSync } from './context.ts';
import { cleanUpHistory } from './history.ts';
import { getReplicaSets } from './new-replica-set.ts';
import { isComplete, updateRolloutStatus } from './progress.ts';
import { byCreation, countReplicas, countStatus, filterActive } from './replica-sets.ts';
import { scaleReplicaSet } from './scale.ts';
import { maxUnavailable, newReplicaSetSize } from './strategy.ts';

/**
 * One step of a rolling update: grows the new ReplicaSet as far as `maxSurge` allows, or else shrinks old ones as far as `maxUnavailable`
 * allows. Mirrors rolloutRolling (1.36, pkg/controller/deployment/rolling.go).
 * @throws ApiError
 */
export function* rolloutRolling(sync: DeploymentSync): Steps {
  const found = yield* getReplicaSets(sync, { create: true });
  const { oldReplicaSets } = found;
  const newReplicaSet = found.newReplicaSet as ReplicaSet;
  const all = [...oldReplicaSets, newReplicaSet];
  const isScaled =
    (yield* reconcileNewReplicaSet(sync.deployment, all, newReplicaSet)) ||
    (yield* reconcileOldReplicaSets(sync.deployment, all, filterActive(oldReplicaSets), newReplicaSet));
  if (!isScaled && isComplete(sync.deployment, sync.deployment.status)) yield* cleanUpHistory(sync.deployment, oldReplicaSets);
  yield* updateRolloutStatus(sync, all, newReplicaSet);
}

function* reconcileNewReplicaSet(deployment: Deployment, all: readonly ReplicaSet[], newReplicaSet: ReplicaSet): Steps<boolean> {
  const { replicas } = deployment.spec;
  const { replicas: size } = newReplicaSet.spec;
  const newSize = size > replicas ? replicas : newReplicaSetSize(deployment, all, size);
  return (yield* scaleReplicaSet(deployment, newReplicaSet, size === replicas ? size : newSize)).isScaled;
}

/** Returns whether old ReplicaSets were scaled. A failed write ends the step without an error. */
function* reconcileOldReplicaSets(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  active: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): Steps<boolean> {
  if (countReplicas(active) === 0) return false;
  const minAvailable = deployment.spec.replicas - maxUnavailable(deployment);
  const newUnavailable = newReplicaSet.spec.replicas - (newReplicaSet.status?.availableReplicas ?? 0);
  const maxScaledDown = countReplicas(all) - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return false;
  try {
    const cleaned = yield* cleanUpUnhealthy(deployment, active, maxScaledDown);
    const scaledDown = yield* scaleDownOld(deployment, cleaned.replicaSets, newReplicaSet, minAvailable);
    return cleaned.count + scaledDown > 0;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Removes Pods that are not available first: they must not block the rollout. Mirrors cleanupUnhealthyReplicas. */
function* cleanUpUnhealthy(
  deployment: Deployment,
  active: readonly ReplicaSet[],
  maxCount: number,
): Steps<{ readonly replicaSets: ReplicaSet[]; readonly count: number }> {
  const replicaSets = active.toSorted(byCreation);
  let count = 0;
  for (const [i, replicaSet] of replicaSets.entries()) {
    if (count >= maxCount) break;
    const { replicas } = replicaSet.spec;
    const unhealthy = replicas - (replicaSet.status?.availableReplicas ?? 0);
    if (replicas === 0 || unhealthy === 0) continue;
    const toRemove = Math.min(maxCount - count, unhealthy);
    // More Pods are available than wanted: upstream's check for an invalid size ends the step.
    if (toRemove < 0) throw invalidSize();
    replicaSets[i] = (yield* scaleReplicaSet(deployment, replicaSet, replicas - toRemove)).replicaSet;
    count += toRemove;
  }
  return { replicaSets, count };
}

const invalidSize = (): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500, message: 'invalid size' });

/** Shrinks old ReplicaSets as long as enough Pods stay available. Mirrors scaleDownOldReplicaSetsForRollingUpdate. */
function* scaleDownOld(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
  minAvailable: number,
): Steps<number> {
  const toRemove = countStatus([...oldReplicaSets, newReplicaSet], 'availableReplicas') - minAvailable;
  let count = 0;
  for (const replicaSet of oldReplicaSets.toSorted(byCreation)) {
    if (count >= toRemove) break;
    const { replicas } = replicaSet.spec;
    if (replicas === 0) continue;
    const removed = Math.min(replicas, toRemove - count);
    yield* scaleReplicaSet(deployment, replicaSet, replicas - removed);
    count += removed;
  }
  return count;
}
