import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { type Cache, type Call, type EventEffect, isFailure, type Steps, SyncError } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { aggregateErrors } from '../errors.ts';
import { isCausedBy } from '../retry.ts';
import type { Pod } from '../types.ts';
import { claimNamesOf, claimsOf, hasUnexpectedController, isClaimOwnerUpToDate, isStaleClaim, setClaimOwner } from './claims.ts';
import type { PersistentVolumeClaim, StatefulSet } from './objects.ts';

/** How a sync reads and writes. */
export interface Access {
  readonly cache: Cache;
  /** Records a stored object: the next sync of the StatefulSet fails until the cache contains it. */
  recordWrite(set: StatefulSet, stored: ApiObject): void;
}

/** Performs a call, and records the stored object. */
export function* write({ recordWrite }: Access, set: StatefulSet, call: Call): Steps {
  recordWrite(set, { ...(yield* perform<ApiObject>(call)), kind: call.kind });
}

const kind = 'PersistentVolumeClaim';

/** The claims of a pod that the cache has. */
const claimsInCache = ({ cache }: Access, set: StatefulSet, pod: Pod): PersistentVolumeClaim[] =>
  claimNamesOf(set, pod).flatMap((name) => cache.get(kind, set.metadata.namespace ?? '', name) ?? []);

/** Whether the claims of a pod have the owners that the retention policy requires: ClaimsMatchRetentionPolicy. */
export const areClaimOwnersUpToDate = (access: Access, set: StatefulSet, pod: Pod): boolean =>
  claimsInCache(access, set, pod).every((claim) => isClaimOwnerUpToDate(claim, set, pod));

/** Whether a claim of a former pod blocks the creation of a pod: PodClaimIsStale. */
export const hasStaleClaim = (access: Access, set: StatefulSet, pod: Pod): boolean =>
  claimsInCache(access, set, pod).some((claim) => isStaleClaim(set, pod, claim));

/** Creates the claims of a pod that are missing: createPersistentVolumeClaims (1.36, pkg/controller/statefulset/stateful_pod_control.go). */
export function* createClaims(access: Access, set: StatefulSet, pod: Pod): Steps {
  const errors: SyncError[] = [];
  for (const claim of claimsOf(set, pod).values()) {
    const { namespace = '', name = '' } = claim.metadata;
    const existing = access.cache.get(kind, namespace, name);
    if (existing === undefined) errors.push(...(yield* createClaim(access, set, pod, claim)));
    else if (existing.metadata.deletionTimestamp !== undefined) errors.push(new SyncError(`pvc ${name} is being deleted`));
  }
  const failure = aggregateErrors(errors);
  if (failure) throw failure;
}

function* createClaim(access: Access, set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): Steps<SyncError[]> {
  try {
    yield* write(access, set, { do: 'create', kind, object: claim });
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (!isCausedBy(error, 'AlreadyExists')) yield failedClaimEvent(set, pod, claim, error);
    return [new SyncError(`failed to create PVC ${claim.metadata.name}: ${messageOf(error)}`, { cause: error })];
  }
  yield createdClaimEvent(set, pod, claim);
  return [];
}

/** Sets the owners of a pod's claims by the retention policy: UpdatePodClaimForRetentionPolicy (1.36, stateful_pod_control.go). */
export function* updateClaimOwners(access: Access, set: StatefulSet, pod: Pod): Steps {
  for (const claim of claimsInCache(access, set, pod)) {
    const { name = '' } = claim.metadata;
    if (hasUnexpectedController(claim, set, pod)) yield conflictingControllerEvent(set, name);
    if (isClaimOwnerUpToDate(claim, set, pod)) continue;
    try {
      yield* write(access, set, { do: 'update', kind, object: setClaimOwner(claim, set, pod) });
    } catch (error) {
      throw new SyncError(`could not update claim ${name} for delete policy ownerRefs: ${messageOf(error)}`, { cause: error });
    }
  }
}

const createdClaimEvent = (set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): EventEffect => ({
  do: 'event',
  object: set,
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message: `Create Claim ${claim.metadata.name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`,
});

const failedClaimEvent = (set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim, error: unknown): EventEffect => ({
  do: 'event',
  object: set,
  type: 'Warning',
  reason: 'FailedCreate',
  message:
    `Create Claim ${claim.metadata.name} for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} ` +
    `failed error: ${messageOf(error)}`,
});

const conflictingControllerEvent = (set: StatefulSet, claimName: string): EventEffect => ({
  do: 'event',
  object: set,
  type: 'Warning',
  reason: 'ConflictingController',
  message:
    `PersistentVolumeClaim ${claimName} has a conflicting OwnerReference that acts as a manging controller, ` +
    'the retention policy is ignored for this claim',
});
