import {
  decideDeletion,
  markAsDeleting,
  type ResourceStrategy,
  updateGarbageCollectionFinalizers,
} from '@kube-endpoints/apiserver/internal';
import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import type { ObjectStore } from './objects.ts';

/**
 * Removes an object, or marks it if a grace period or finalizers delay the removal. Mirrors Store.Delete (1.36,
 * apiserver/pkg/registry/generic/registry/store.go).
 * @returns the marked object, or the last state of the removed one
 * @throws ApiError Conflict if a precondition does not hold
 */
export function deleteObject(
  store: ObjectStore,
  actor: string,
  strategy: ResourceStrategy,
  stored: ApiObject,
  options: DeleteOptions,
  now: number,
): ApiObject {
  const decision = decideDeletion(strategy, stored, options, now);
  if (decision.kind === 'pending') return stored;
  const updated = updateGarbageCollectionFinalizers(strategy, decision.kind === 'later' ? decision.object : stored, options);
  const hasFinalizers = (updated.metadata.finalizers?.length ?? 0) > 0;
  if (decision.kind === 'now' && !hasFinalizers) return store.remove(actor, stored);
  const marked = decision.kind === 'now' ? markAsDeleting(updated, now) : updated;
  if (decision.kind === 'now' && stored.metadata.deletionTimestamp !== undefined && stored.metadata.deletionGracePeriodSeconds === 0)
    return stored;
  const written = store.put(actor, marked, stored);
  if (hasFinalizers || (decision.kind === 'later' && decision.periodSeconds > 0)) return written;
  return store.remove(actor, written);
}

/** Whether an update removes a deleted object: it was the last to delay the removal. Mirrors `ShouldDeleteDuringUpdate`. */
export const isRemovedByUpdate = (updated: ApiObject, { metadata: previous }: ApiObject): boolean =>
  previous.deletionTimestamp !== undefined &&
  (previous.deletionGracePeriodSeconds ?? 0) === 0 &&
  (updated.metadata.finalizers?.length ?? 0) === 0;
