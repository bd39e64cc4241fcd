import type { Steps } from '../../controller/controller.ts';
import { isPodTerminal } from '../pods.ts';
import type { ReplicaSet } from '../types.ts';
import { type DeploymentSync, listOwnedPods } from './context.ts';
import { cleanUpHistory } from './history.ts';
import { getReplicaSets } from './new-replica-set.ts';
import { isComplete, updateRolloutStatus } from './progress.ts';
import { countStatus, filterActive } from './replica-sets.ts';
import { scaleReplicaSet } from './scale.ts';

/**
 * One step of the strategy Recreate: first all old Pods end, and then the new ReplicaSet is created with its full size. Mirrors rolloutRecreate
 * (1.36, pkg/controller/deployment/recreate.go).
 * @throws ApiError
 */
export function* rolloutRecreate(sync: DeploymentSync): Steps {
  let { newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: false });
  let isScaled = false;
  for (const replicaSet of filterActive(oldReplicaSets))
    isScaled = (yield* scaleReplicaSet(sync.deployment, replicaSet, 0)).isScaled || isScaled;
  if (isScaled || areOldPodsRunning(sync, newReplicaSet, oldReplicaSets)) {
    yield* updateRolloutStatus(sync, [...oldReplicaSets, newReplicaSet], newReplicaSet);
    return;
  }
  if (!newReplicaSet) ({ newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: true }));
  yield* scaleReplicaSet(sync.deployment, newReplicaSet as ReplicaSet, sync.deployment.spec.replicas);
  if (isComplete(sync.deployment, sync.deployment.status)) yield* cleanUpHistory(sync.deployment, oldReplicaSets);
  yield* updateRolloutStatus(sync, [...oldReplicaSets, newReplicaSet], newReplicaSet);
}

/** Whether an old ReplicaSet reports Pods, or has Pods in the cache that have not ended. */
const areOldPodsRunning = (
  { context: { cache }, replicaSets }: DeploymentSync,
  newReplicaSet: ReplicaSet | undefined,
  oldReplicaSets: readonly ReplicaSet[],
): boolean =>
  countStatus(oldReplicaSets, 'replicas') > 0 ||
  replicaSets.some(
    (replicaSet) =>
      replicaSet.metadata.uid !== newReplicaSet?.metadata.uid && listOwnedPods(cache, replicaSet).some((pod) => !isPodTerminal(pod)),
  );
