import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../types.ts';
import { createCondition, encodeStatus, setCondition } from './conditions.ts';
import type { DeploymentSync } from './context.ts';
import { countReplicas, countStatus, countTerminating } from './replica-sets.ts';
import { maxUnavailable } from './strategy.ts';

/** The status by the ReplicaSets' statuses. Mirrors calculateStatus (1.36, pkg/controller/deployment/sync.go). */
export function computeStatus(
  deployment: Deployment,
  all: readonly (ReplicaSet | undefined)[],
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const { metadata, spec, status } = deployment;
  const available = countStatus(all, 'availableReplicas');
  const terminatingReplicas = countTerminating(all);
  const isAvailable = available >= spec.replicas - maxUnavailable(deployment);
  const condition = isAvailable
    ? createCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : createCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now);
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: countStatus(all, 'replicas'),
    updatedReplicas: countStatus([newReplicaSet], 'replicas'),
    readyReplicas: countStatus(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(countReplicas(all) - available, 0),
    ...(terminatingReplicas !== undefined && { terminatingReplicas }),
    ...(status?.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    conditions: setCondition(status?.conditions, condition),
  };
}

/** Writes the status unless it is unchanged, without an estimate of progress. @throws ApiError */
export function* updateChangedStatus(
  { context, deployment }: DeploymentSync,
  all: readonly (ReplicaSet | undefined)[],
  newReplicaSet: ReplicaSet | undefined,
): Steps {
  const status = computeStatus(deployment, all, newReplicaSet, context.now());
  if (!isSameStatus(deployment.status, status)) yield* writeStatus({ ...deployment, status });
}

export const isSameStatus = (a: DeploymentStatus | undefined, b: DeploymentStatus): boolean => deepEqual(encodeStatus(a), encodeStatus(b));

/** Writes the status, and with it the annotations. @throws ApiError */
export const writeStatus = (deployment: Deployment): Steps<Deployment> =>
  perform({ do: 'update', kind: 'Deployment', object: { ...deployment, status: encodeStatus(deployment.status) }, subresource: 'status' });
