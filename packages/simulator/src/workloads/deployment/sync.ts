import { selectorMatches, semanticEqual, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import { type Cache, type ControllerContext, type Queue, type Steps, SyncError } from '../../controller/controller.ts';
import { emit } from '../../controller/effects.ts';
import { claimObjects } from '../owner-references.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import { desiredReplicasOf, parseInteger, rollbackAnnotation } from './annotations.ts';
import { createCondition, findCondition, withCondition } from './conditions.ts';
import { type DeploymentSync, deploymentKind } from './context.ts';
import { cleanUpHistory } from './history.ts';
import { getReplicaSets } from './new-replica-set.ts';
import { hasProgressDeadline } from './progress.ts';
import { rolloutRecreate } from './recreate.ts';
import { filterActive } from './replica-sets.ts';
import { rollBack } from './rollback.ts';
import { rolloutRolling } from './rolling.ts';
import { scale } from './scale.ts';
import { updateChangedStatus, writeStatus } from './status.ts';

/**
 * One sync of a Deployment: claims ReplicaSets, and then reports the status, rolls back, scales, or makes one step of a rollout. Mirrors
 * syncDeployment (1.36, pkg/controller/deployment/deployment_controller.go).
 * @throws ApiError or SyncError if a write failed
 */
export function* syncDeployment(context: ControllerContext, key: string, queue: Queue): Steps {
  const { namespace, name } = splitMetaNamespaceKey(key);
  const deployment = context.cache.get<Deployment>('Deployment', namespace, name);
  if (!deployment) return;
  if (semanticEqual(deployment.spec.selector, {})) {
    yield* rejectSelector(deployment);
    return;
  }
  const replicaSets = yield* claimReplicaSets(context.cache, deployment);
  const sync: DeploymentSync = { context, key, queue, deployment, replicaSets };
  if (deployment.metadata.deletionTimestamp !== undefined) {
    const { newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: false });
    yield* updateChangedStatus(sync, [...oldReplicaSets, newReplicaSet], newReplicaSet);
    return;
  }
  yield* updatePausedCondition(sync);
  if (deployment.spec.paused) yield* syncScale(sync);
  else if (rollbackRevisionOf(deployment) !== undefined) yield* rollBack(sync, rollbackRevisionOf(deployment) as number);
  else if (yield* isScalingEvent(sync)) yield* syncScale(sync);
  else yield* rollOut(sync);
}

function* rollOut(sync: DeploymentSync): Steps {
  const { type } = sync.deployment.spec.strategy;
  if (type === 'Recreate') yield* rolloutRecreate(sync);
  else if (type === 'RollingUpdate') yield* rolloutRolling(sync);
  else throw new SyncError(`unexpected deployment strategy type: ${type}`);
}

/** An empty selector selects all Pods: the Deployment is not synced. */
function* rejectSelector(deployment: Deployment): Steps {
  const { generation = 0 } = deployment.metadata;
  yield* emit(deployment, 'Warning', 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
  if ((deployment.status?.observedGeneration ?? 0) >= generation) return;
  try {
    yield* writeStatus({ ...deployment, status: { ...deployment.status, observedGeneration: generation } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const claimReplicaSets = (cache: Cache, deployment: Deployment): Steps<ReplicaSet[]> =>
  claimObjects(cache.list<ReplicaSet>('ReplicaSet', deployment.metadata.namespace), {
    owner: deployment,
    ownerKind: deploymentKind,
    kind: 'ReplicaSet',
    matches: ({ metadata }) => selectorMatches(deployment.spec.selector, metadata.labels ?? {}),
  });

/** Reports that the Deployment was paused or resumed, so that the time in between does not count for the progress deadline. */
function* updatePausedCondition(sync: DeploymentSync): Steps {
  const { spec, status } = sync.deployment;
  const reason = findCondition(status?.conditions, 'Progressing')?.reason;
  const isReported = reason === 'DeploymentPaused';
  if (!hasProgressDeadline(sync.deployment) || reason === 'ProgressDeadlineExceeded' || (spec.paused ?? false) === isReported) return;
  const [newReason, message] = spec.paused ? ['DeploymentPaused', 'Deployment is paused'] : ['DeploymentResumed', 'Deployment is resumed'];
  sync.deployment = withCondition(
    sync.deployment,
    createCondition('Progressing', 'Unknown', newReason as string, message as string, sync.context.now()),
  );
  yield* writeStatus(sync.deployment);
}

/** The revision of a requested rollback; 0 for the previous one, undefined if none is requested. */
const rollbackRevisionOf = ({ metadata }: Deployment): number | undefined => parseInteger(metadata.annotations?.[rollbackAnnotation] ?? '');

/** Whether `spec.replicas` has changed since an active ReplicaSet was last scaled. */
function* isScalingEvent(sync: DeploymentSync): Steps<boolean> {
  const { newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: false });
  return filterActive([...oldReplicaSets, newReplicaSet]).some((replicaSet) => {
    const desired = desiredReplicasOf(replicaSet);
    return desired !== undefined && desired !== sync.deployment.spec.replicas;
  });
}

/** Scales the ReplicaSets of a Deployment that is paused or being scaled. */
function* syncScale(sync: DeploymentSync): Steps {
  const { newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: false });
  yield* scale(sync, newReplicaSet, oldReplicaSets);
  const { deployment } = sync;
  // Scaling has sorted them, the newest first: the order matters if revisions are invalid.
  if (deployment.spec.paused && rollbackRevisionOf(deployment) === undefined)
    yield* cleanUpHistory(deployment, oldReplicaSets.toReversed());
  yield* updateChangedStatus(sync, [...oldReplicaSets, newReplicaSet], newReplicaSet);
}
