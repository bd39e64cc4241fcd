import { ApiError, hasReason } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { emit, perform } from '../../controller/effects.ts';
import { controllerOf, createControllerReference } from '../owner-references.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import { computeHash } from '../pod-template/hash.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import { maxRevision, revisionAnnotation, scaleAnnotations, updateAnnotations } from './annotations.ts';
import { createCondition, findCondition, withCondition } from './conditions.ts';
import { type DeploymentSync, deploymentKind } from './context.ts';
import { hasProgressDeadline } from './progress.ts';
import { findNewReplicaSet, findOldReplicaSets, hashLabel, isSameTemplate } from './replica-sets.ts';
import { writeStatus } from './status.ts';
import { newReplicaSetSize } from './strategy.ts';

export interface ReplicaSets {
  /** The one with the template of the Deployment. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** The oldest first. */
  readonly oldReplicaSets: ReplicaSet[];
}

/**
 * Finds the new and the old ReplicaSets, updates annotations and the revision, and creates the new ReplicaSet if it is absent and `create` is
 * set. Mirrors getAllReplicaSetsAndSyncRevision (1.36, pkg/controller/deployment/sync.go).
 * @throws ApiError
 */
export function* getReplicaSets(sync: DeploymentSync, { create }: { readonly create: boolean }): Steps<ReplicaSets> {
  const oldReplicaSets = findOldReplicaSets(sync.deployment, sync.replicaSets);
  const revision = maxRevision(oldReplicaSets) + 1;
  const existing = findNewReplicaSet(sync.deployment, sync.replicaSets);
  if (existing) return { newReplicaSet: yield* updateNewReplicaSet(sync, existing, revision), oldReplicaSets };
  const newReplicaSet = create ? yield* createNewReplicaSet(sync, oldReplicaSets, revision) : undefined;
  return { newReplicaSet, oldReplicaSets };
}

/** Updates annotations and `minReadySeconds`. If they are up to date, copies the revision to the Deployment instead. */
function* updateNewReplicaSet(sync: DeploymentSync, existing: ReplicaSet, revision: number): Steps<ReplicaSet> {
  const { minReadySeconds = 0 } = sync.deployment.spec;
  const { annotations, isChanged } = updateAnnotations(sync.deployment, existing.metadata.annotations ?? {}, revision);
  const replicaSet = { ...existing, metadata: { ...existing.metadata, annotations } };
  if (isChanged || (existing.spec.minReadySeconds ?? 0) !== minReadySeconds) {
    const { minReadySeconds: _, ...spec } = existing.spec;
    const object = { ...replicaSet, spec: { ...spec, ...(minReadySeconds !== 0 && { minReadySeconds }) } };
    return yield* perform<ReplicaSet>({ do: 'update', kind: 'ReplicaSet', object });
  }
  let needsUpdate = setRevision(sync, annotations[revisionAnnotation] ?? '');
  if (hasProgressDeadline(sync.deployment) && !findCondition(sync.deployment.status?.conditions, 'Progressing')) {
    setProgressing(sync, 'True', 'FoundNewReplicaSet', `Found new replica set "${existing.metadata.name}"`);
    needsUpdate = true;
  }
  if (needsUpdate) yield* writeStatus(sync.deployment);
  return replicaSet;
}

function* createNewReplicaSet(sync: DeploymentSync, oldReplicaSets: readonly ReplicaSet[], revision: number): Steps<ReplicaSet> {
  const { deployment } = sync;
  const wanted = draftReplicaSet(deployment, oldReplicaSets, revision);
  const { created, isNew } = yield* tryToCreate(sync, wanted);
  const { replicas } = wanted.spec;
  if (isNew && replicas > 0)
    yield* emit(deployment, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`);
  let needsUpdate = setRevision(sync, String(revision));
  if (isNew && hasProgressDeadline(deployment)) {
    setProgressing(sync, 'True', 'NewReplicaSetCreated', `Created new replica set "${created.metadata.name}"`);
    needsUpdate = true;
  }
  if (needsUpdate) yield* writeStatus(sync.deployment);
  return created;
}

/** The new ReplicaSet, named by the hash of its template. */
function draftReplicaSet(deployment: Deployment, oldReplicaSets: readonly ReplicaSet[], revision: number): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = computeHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const { minReadySeconds = 0 } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: nameReplicaSet(metadata.name ?? '', hash),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels,
      annotations: { ...updateAnnotations(deployment, {}, revision).annotations, ...scaleAnnotations(deployment) },
      ownerReferences: [{ ...createControllerReference(deployment, deploymentKind) }],
    },
    spec: {
      replicas: newReplicaSetSize(deployment, oldReplicaSets, 0),
      ...(minReadySeconds !== 0 && { minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

const maxNameLength = 253;

const nameReplicaSet = (deployment: string, hash: string): string => `${deployment.slice(0, maxNameLength - 1 - hash.length)}-${hash}`;

/** @throws ApiError after the failure was reported */
function* tryToCreate(sync: DeploymentSync, wanted: ReplicaSet): Steps<{ readonly created: ReplicaSet; readonly isNew: boolean }> {
  try {
    return { created: yield* perform<ReplicaSet>({ do: 'create', kind: 'ReplicaSet', object: wanted }), isNew: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (hasReason(error, 'AlreadyExists')) return { created: yield* resolveCollision(sync, wanted, error), isNew: false };
    if (!isNamespaceTerminating(error)) yield* reportCreateError(sync, wanted, error);
    throw error;
  }
}

/** Returns the existing ReplicaSet if it is the wanted one, or else counts a hash collision: the next sync uses another hash. */
function* resolveCollision(sync: DeploymentSync, { metadata }: ReplicaSet, error: ApiError): Steps<ReplicaSet> {
  const { namespace = '', name = '' } = metadata;
  const existing = sync.context.cache.get<ReplicaSet>('ReplicaSet', namespace, name);
  // The cache does not contain it yet.
  if (!existing) throw error;
  const isOwned = controllerOf(existing)?.uid === sync.deployment.metadata.uid;
  if (isOwned && isSameTemplate(sync.deployment.spec.template, existing.spec.template)) return existing;
  const { status } = sync.deployment;
  sync.deployment = { ...sync.deployment, status: { ...status, collisionCount: (status?.collisionCount ?? 0) + 1 } };
  yield* tryToWriteStatus(sync.deployment);
  throw error;
}

function* reportCreateError(sync: DeploymentSync, { metadata }: ReplicaSet, error: ApiError): Steps {
  const message = `Failed to create new replica set "${metadata.name}": ${error.message}`;
  if (hasProgressDeadline(sync.deployment)) {
    setProgressing(sync, 'False', 'ReplicaSetCreateError', message);
    yield* tryToWriteStatus(sync.deployment);
  }
  yield* emit(sync.deployment, 'Warning', 'ReplicaSetCreateError', message);
}

/** Writes a status whose failure matters less than the error that it reports. */
function* tryToWriteStatus(deployment: Deployment): Steps {
  try {
    yield* writeStatus(deployment);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Sets the revision of the Deployment; returns whether it has changed. */
function setRevision(sync: DeploymentSync, revision: string): boolean {
  const { metadata } = sync.deployment;
  if ((metadata.annotations?.[revisionAnnotation] ?? '') === revision) return false;
  sync.deployment = {
    ...sync.deployment,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [revisionAnnotation]: revision } },
  };
  return true;
}

function setProgressing(sync: DeploymentSync, status: string, reason: string, message: string): void {
  sync.deployment = withCondition(sync.deployment, createCondition('Progressing', status, reason, message, sync.context.now()));
}
