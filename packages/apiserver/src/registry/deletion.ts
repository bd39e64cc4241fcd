import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import { conflict } from '../store/index.ts';
import { timestampOf } from './context.ts';
import { foregroundFinalizer, isBeingDeleted, orphanFinalizer, withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Outcome of a deletion: remove now, update the object and remove it later, or nothing because a deletion is pending. */
type Graceful = { readonly kind: 'now' | 'pending' } | { readonly kind: 'later'; readonly object: ApiObject; readonly period: number };

/** Decides how an object is deleted. Mirrors BeforeDelete (1.36, apiserver/pkg/registry/rest/delete.go). */
export function beforeDelete(strategy: ResourceStrategy, object: ApiObject, options: DeleteOptions, now: number): Graceful {
  requirePreconditions(strategy, object, options);
  if (!strategy.gracePeriod) return { kind: 'now' };
  const requestedSeconds = options.gracePeriodSeconds === undefined ? undefined : normalizeSeconds(options.gracePeriodSeconds);
  if (isBeingDeleted(object)) return shortenGracePeriod(object, requestedSeconds, now);
  const period = strategy.gracePeriod(object, requestedSeconds);
  const marked = withMetadata(object, {
    deletionTimestamp: timestampOf(now + period * 1000),
    deletionGracePeriodSeconds: period,
    ...nextGeneration(object),
  });
  return { kind: 'later', object: marked, period };
}

/** A later deletion may shorten the grace period but never extend it. */
function shortenGracePeriod(object: ApiObject, requestedSeconds: number | undefined, now: number): Graceful {
  const { deletionGracePeriodSeconds: currentSeconds = 0, deletionTimestamp = '' } = object.metadata;
  if (currentSeconds === 0) return { kind: 'now' };
  if (requestedSeconds === undefined || requestedSeconds >= currentSeconds) return { kind: 'pending' };
  const requestedDeadline = Date.parse(deletionTimestamp) + (requestedSeconds - currentSeconds) * 1000;
  const late = requestedDeadline < now;
  const period = late && requestedSeconds !== 0 ? 1 : requestedSeconds;
  const deadline = timestampOf(late ? now : requestedDeadline);
  return { kind: 'later', object: withMetadata(object, { deletionTimestamp: deadline, deletionGracePeriodSeconds: period }), period };
}

/** Marks an object that waits only for its finalizers. Mirrors markAsDeleting (1.36, generic/registry/store.go). */
export function markAsDeleting(object: ApiObject, now: number): ApiObject {
  const { deletionTimestamp } = object.metadata;
  const past = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now;
  return withMetadata(object, {
    deletionTimestamp: past ? deletionTimestamp : timestampOf(now),
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp === undefined && nextGeneration(object)),
  });
}

/** Sets or removes the finalizers of the garbage collector. Mirrors deletionFinalizersForGarbageCollection. */
export function updateGarbageCollectionFinalizers(
  { collectsGarbage }: ResourceStrategy,
  object: ApiObject,
  { propagationPolicy }: DeleteOptions,
): ApiObject {
  const { finalizers = [] } = object.metadata;
  const requestedDeadline = collectsGarbage
    ? (byPolicy[propagationPolicy ?? ''] ?? finalizers.find(isGarbageCollectionFinalizer))
    : undefined;
  const kept = finalizers.filter((finalizer) => !isGarbageCollectionFinalizer(finalizer));
  const next = requestedDeadline ? [...kept, requestedDeadline] : kept;
  if (next.length === finalizers.length && next.every((finalizer) => finalizers.includes(finalizer))) return object;
  return withMetadata(object, { finalizers: next.length > 0 ? next : undefined });
}

/** Empty: neither finalizer. */
const byPolicy: Readonly<Record<string, string>> = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' };

const isGarbageCollectionFinalizer = (finalizer: string): boolean => finalizer === orphanFinalizer || finalizer === foregroundFinalizer;

function requirePreconditions(
  { resource: { group, kind } }: ResourceStrategy,
  object: ApiObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: ownUid = '', resourceVersion: ownVersion = '' } = object.metadata;
  // Upstream puts the kind where the resource name belongs.
  const refuse = (why: string): never => {
    throw conflict({ group, plural: kind, kind, version: '', namespaced: true }, name, why);
  };
  if (uid !== undefined && uid !== ownUid) {
    const hint = 'The object might have been deleted and then recreated';
    refuse(`the UID in the precondition (${uid}) does not match the UID in record (${ownUid}). ${hint}`);
  }
  if (resourceVersion !== undefined && resourceVersion !== ownVersion) {
    const hint = 'The object might have been modified';
    refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${ownVersion}). ${hint}`,
    );
  }
}

/** A negative period counts as one second. */
const normalizeSeconds = (seconds: number): number => (seconds < 0 ? 1 : seconds);

function nextGeneration({ metadata: { generation = 0 } }: ApiObject): { readonly generation?: number } {
  return generation > 0 ? { generation: generation + 1 } : {};
}
