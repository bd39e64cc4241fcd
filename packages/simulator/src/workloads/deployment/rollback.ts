import type { Steps } from '../../controller/controller.ts';
import { emit, perform } from '../../controller/effects.ts';
import type { ReplicaSet } from '../types.ts';
import { annotationsAfterRollback, lastRevision, revisionOf, rollbackAnnotation } from './annotations.ts';
import { encodeStatus } from './conditions.ts';
import type { DeploymentSync } from './context.ts';
import { getReplicaSets } from './new-replica-set.ts';
import { isSameTemplate, withoutHash } from './replica-sets.ts';

/**
 * Copies the template of an old revision to the Deployment, and removes the request. Mirrors rollback (1.36,
 * pkg/controller/deployment/rollback.go).
 * @param requested the revision; 0 for the previous one
 * @throws ApiError
 */
export function* rollBack(sync: DeploymentSync, requested: number): Steps {
  const { newReplicaSet, oldReplicaSets } = yield* getReplicaSets(sync, { create: true });
  const all = [...oldReplicaSets, newReplicaSet as ReplicaSet];
  const revision = requested || lastRevision(all);
  const target = revision === 0 ? undefined : all.find((replicaSet) => revisionOf(replicaSet) === revision);
  if (target) {
    yield* rollBackTo(sync, target, revision);
    return;
  }
  const message = revision === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
  yield* emit(sync.deployment, 'Warning', 'DeploymentRollbackRevisionNotFound', message);
  yield* removeRequest(sync);
}

function* rollBackTo(sync: DeploymentSync, target: ReplicaSet, revision: number): Steps {
  const { deployment } = sync;
  const { name } = deployment.metadata;
  if (isSameTemplate(deployment.spec.template, target.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    yield* emit(deployment, 'Warning', 'DeploymentRollbackTemplateUnchanged', message);
    yield* removeRequest(sync);
    return;
  }
  sync.deployment = {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: annotationsAfterRollback(deployment, target) },
    spec: { ...deployment.spec, template: withoutHash(target.spec.template) },
  };
  yield* removeRequest(sync);
  yield* emit(deployment, 'Normal', 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`);
}

function* removeRequest(sync: DeploymentSync): Steps {
  const { metadata } = sync.deployment;
  const { [rollbackAnnotation]: _, ...annotations } = metadata.annotations ?? {};
  sync.deployment = { ...sync.deployment, metadata: { ...metadata, annotations } };
  const object = { ...sync.deployment, status: encodeStatus(sync.deployment.status) };
  yield* perform({ do: 'update', kind: 'Deployment', object });
}
