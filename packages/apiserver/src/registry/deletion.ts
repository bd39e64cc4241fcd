import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import { conflict } from '../store/index.ts';
import { timestampOf } from './context.ts';
import { foregroundFinalizer, isBeingDeleted, orphanFinalizer, withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Outcome of a deletion: remove now, update the object and remove it later, or nothing because a deletion is pending. */
type DeletionDecision =
  | { readonly kind: 'now' | 'pending' }
  | { readonly kind: 'later'; readonly object: ApiObject; readonly periodSeconds: number };

/** Decides how an object is deleted. Mirrors BeforeDelete (1.36, apiserver/pkg/registry/rest/delete.go). */
export function decideDeletion(strategy: ResourceStrategy, object: ApiObject, options: DeleteOptions, now: number): DeletionDecision {
  requirePreconditions(strategy, object, options);
  if (!strategy.gracePeriod) return { kind: 'now' };
  const requestedSeconds = options.gracePeriodSeconds === undefined ? undefined : normalizeSeconds(options.gracePeriodSeconds);
  if (isBeingDeleted(object)) return shortenGracePeriod(object, requestedSeconds, now);
  const periodSeconds = strategy.gracePeriod(object, requestedSeconds);
  const markedObject = withMetadata(object, {
    deletionTimestamp: timestampOf(now + periodSeconds * 1000),
    deletionGracePeriodSeconds: periodSeconds,
    ...nextGeneration(object),
  });
  return { kind: 'later', object: markedObject, periodSeconds };
}

/** Applies a repeated deletion, which may shorten the grace period but never extend it. */
function shortenGracePeriod(object: ApiObject, requestedSeconds: number | undefined, now: number): DeletionDecision {
  const { deletionGracePeriodSeconds: currentSeconds = 0, deletionTimestamp = '' } = object.metadata;
  if (currentSeconds === 0) return { kind: 'now' };
  if (requestedSeconds === undefined || requestedSeconds >= currentSeconds) return { kind: 'pending' };
  const requestedDeadline = Date.parse(deletionTimestamp) + (requestedSeconds - currentSeconds) * 1000;
  const isPast = requestedDeadline < now;
  const periodSeconds = isPast && requestedSeconds !== 0 ? 1 : requestedSeconds;
  const deadline = timestampOf(isPast ? now : requestedDeadline);
  return {
    kind: 'later',
    object: withMetadata(object, { deletionTimestamp: deadline, deletionGracePeriodSeconds: periodSeconds }),
    periodSeconds,
  };
}

/** Marks an object that waits only for its finalizers. Mirrors markAsDeleting (1.36, generic/registry/store.go). */
export function markAsDeleting(object: ApiObject, now: number): ApiObject {
  const { deletionTimestamp } = object.metadata;
  const isPast = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now;
  return withMetadata(object, {
    deletionTimestamp: isPast ? deletionTimestamp : timestampOf(now),
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp === undefined && nextGeneration(object)),
  });
}

/** Sets or removes the finalizers of the garbage collector. Mirrors deletionFinalizersForGarbageCollection. */
export function updateGarbageCollectionFinalizers(
  { isGarbageCollected }: ResourceStrategy,
  object: ApiObject,
  { propagationPolicy }: DeleteOptions,
): ApiObject {
  const { finalizers = [] } = object.metadata;
  const requestedFinalizer = isGarbageCollected
    ? (finalizerByPolicy[propagationPolicy ?? ''] ?? finalizers.find(isGarbageCollectionFinalizer))
    : undefined;
  const otherFinalizers = finalizers.filter((finalizer) => !isGarbageCollectionFinalizer(finalizer));
  const updatedFinalizers = requestedFinalizer ? [...otherFinalizers, requestedFinalizer] : otherFinalizers;
  if (updatedFinalizers.length === finalizers.length && updatedFinalizers.every((finalizer) => finalizers.includes(finalizer)))
    return object;
  return withMetadata(object, { finalizers: updatedFinalizers.length > 0 ? updatedFinalizers : undefined });
}

/** The finalizer that each policy sets; empty if the policy sets none. */
const finalizerByPolicy: Readonly<Record<string, string>> = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' };

const isGarbageCollectionFinalizer = (finalizer: string): boolean => finalizer === orphanFinalizer || finalizer === foregroundFinalizer;

function requirePreconditions(
  { resource: { group, kind } }: ResourceStrategy,
  object: ApiObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: currentUid = '', resourceVersion: currentVersion = '' } = object.metadata;
  // Upstream uses the kind as the resource name in this error.
  const refuse = (problem: string): never => {
    throw conflict({ group, plural: kind, kind, version: '', namespaced: true }, name, problem);
  };
  if (uid !== undefined && uid !== currentUid) {
    const hint = 'The object might have been deleted and then recreated';
    refuse(`the UID in the precondition (${uid}) does not match the UID in record (${currentUid}). ${hint}`);
  }
  if (resourceVersion !== undefined && resourceVersion !== currentVersion) {
    const hint = 'The object might have been modified';
    refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${currentVersion}). ${hint}`,
    );
  }
}

/** Like upstream, treats a negative grace period as one second. */
const normalizeSeconds = (seconds: number): number => (seconds < 0 ? 1 : seconds);

function nextGeneration({ metadata: { generation = 0 } }: ApiObject): { readonly generation?: number } {
  return generation > 0 ? { generation: generation + 1 } : {};
}
