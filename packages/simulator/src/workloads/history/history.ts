import { type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason } from 'kube-endpoints/port';
import { type Cache, type Steps, SyncError } from '../../controller/controller.ts';
import { controllerOf, createControllerReference, type OwnerKind } from '../owner-references.ts';
import { defaultBackoff } from '../retry.ts';
import { type ControllerRevision, hashRevision, isEqualRevision, nameRevision } from './revision.ts';

const kind = 'ControllerRevision';

/** Lists the revisions that a selector matches and that `parent` or no controller owns: ListControllerRevisions (1.36, pkg/controller/history). */
export function listRevisions(cache: Cache, parent: ApiObject, parentKind: OwnerKind, selector: LabelSelector): ControllerRevision[] {
  const { namespace, name, uid } = parent.metadata;
  const revisions = cache.list(kind, namespace ?? '') as readonly ControllerRevision[];
  return revisions.filter((revision) => {
    const owner = controllerOf(revision);
    const isOwn = owner?.kind === parentKind.kind && owner.name === name && owner.uid === uid;
    return (owner === undefined || isOwn) && selectorMatches(selector, revision.metadata.labels ?? {});
  });
}

/** Adds a reference to the controller of an orphaned revision: AdoptControllerRevision (1.36, pkg/controller/history). */
export function* adoptRevision(parent: ApiObject, parentKind: OwnerKind, revision: ControllerRevision): Steps {
  const { namespace = '', name = '', uid = '' } = revision.metadata;
  const patch = { metadata: { ownerReferences: [createControllerReference(parent, parentKind)], uid } };
  yield { do: 'patch', kind, namespace, name, patch, type: 'strategic' };
}

/** A stored revision, and the number of collisions of names so far. */
export interface CreatedRevision {
  readonly revision: ControllerRevision;
  readonly collisionCount: number;
}

/**
 * Creates a revision. If its name is taken by other data, counts a collision and tries the next name: CreateControllerRevision
 * (1.36, pkg/controller/history).
 */
export function* createRevision(parent: ApiObject, revision: ControllerRevision, firstCount: number): Steps<CreatedRevision> {
  for (let collisionCount = firstCount; ; collisionCount += 1) {
    const name = nameRevision(parent.metadata.name ?? '', hashRevision(revision, collisionCount));
    const named = { ...revision, metadata: { ...revision.metadata, name } };
    try {
      const created = yield { do: 'create', kind, object: named };
      return { revision: (created ?? named) as ControllerRevision, collisionCount };
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
    const existing = yield { do: 'get', kind, namespace: parent.metadata.namespace ?? '', name };
    if (existing && isEqualRevision(existing as ControllerRevision, named))
      return { revision: existing as ControllerRevision, collisionCount };
  }
}

/**
 * Changes the number of a revision: UpdateControllerRevision (1.36, pkg/controller/history). Returns the revision as sent, not as stored.
 * Upstream retries a conflict once with the empty result of the failed call, which fails without a request.
 */
export function* renumberRevision(revision: ControllerRevision, number: number): Steps<ControllerRevision> {
  const renumbered = { ...revision, revision: number };
  if (revision.revision === number) return renumbered;
  try {
    yield { do: 'update', kind, object: renumbered };
  } catch (error) {
    if (!hasReason(error, 'Conflict')) throw error;
    yield { do: 'wait', milliseconds: defaultBackoff.duration };
    throw new SyncError('resource name may not be empty', { cause: error });
  }
  return renumbered;
}

/** Deletes a revision. */
export function* deleteRevision({ metadata: { namespace = '', name = '' } }: ControllerRevision): Steps {
  yield { do: 'delete', kind, namespace, name };
}
