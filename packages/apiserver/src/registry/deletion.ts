import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import { conflict } from '../store/index.ts';
import { timestampOf } from './context.ts';
import { foregroundFinalizer, isGoing, orphanFinalizer, withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Outcome of a deletion: remove now, update the object and remove it later, or nothing because a deletion is pending. */
type Graceful = { readonly kind: 'now' | 'pending' } | { readonly kind: 'later'; readonly object: ApiObject; readonly period: number };

/** Decides how an object is deleted. Mirrors BeforeDelete (1.36, apiserver/pkg/registry/rest/delete.go). */
export function beforeDelete(strategy: ResourceStrategy, object: ApiObject, options: DeleteOptions, now: number): Graceful {
  requirePreconditions(strategy, object, options);
  if (!strategy.gracePeriod) return { kind: 'now' };
  const asked = options.gracePeriodSeconds === undefined ? undefined : atLeast(options.gracePeriodSeconds);
  if (isGoing(object)) return shorten(object, asked, now);
  const period = strategy.gracePeriod(object, asked);
  const marked = withMetadata(object, {
    deletionTimestamp: timestampOf(now + period * 1000),
    deletionGracePeriodSeconds: period,
    ...nextGeneration(object),
  });
  return { kind: 'later', object: marked, period };
}

/** A later deletion may shorten the grace period but never extend it. */
function shorten(object: ApiObject, asked: number | undefined, now: number): Graceful {
  const { deletionGracePeriodSeconds: given = 0, deletionTimestamp = '' } = object.metadata;
  if (given === 0) return { kind: 'now' };
  if (asked === undefined || asked >= given) return { kind: 'pending' };
  const wanted = Date.parse(deletionTimestamp) + (asked - given) * 1000;
  const late = wanted < now;
  const period = late && asked !== 0 ? 1 : asked;
  const deadline = timestampOf(late ? now : wanted);
  return { kind: 'later', object: withMetadata(object, { deletionTimestamp: deadline, deletionGracePeriodSeconds: period }), period };
}

/** Marks an object that waits only for its finalizers. Mirrors markAsDeleting (1.36, generic/registry/store.go). */
export function markedAsDeleting(object: ApiObject, now: number): ApiObject {
  const { deletionTimestamp } = object.metadata;
  const past = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now;
  return withMetadata(object, {
    deletionTimestamp: past ? deletionTimestamp : timestampOf(now),
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp === undefined && nextGeneration(object)),
  });
}

/** Sets or removes the finalizers of the garbage collector. Mirrors deletionFinalizersForGarbageCollection. */
export function withFinalizersOf(
  { collectsGarbage }: ResourceStrategy,
  object: ApiObject,
  { propagationPolicy }: DeleteOptions,
): ApiObject {
  const { finalizers = [] } = object.metadata;
  const wanted = collectsGarbage ? (byPolicy[propagationPolicy ?? ''] ?? finalizers.find(isCollectors)) : undefined;
  const kept = finalizers.filter((finalizer) => !isCollectors(finalizer));
  const next = wanted ? [...kept, wanted] : kept;
  if (next.length === finalizers.length && next.every((finalizer) => finalizers.includes(finalizer))) return object;
  return withMetadata(object, { finalizers: next.length > 0 ? next : undefined });
}

/** Empty: neither finalizer. */
const byPolicy: Readonly<Record<string, string>> = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' };

const isCollectors = (finalizer: string): boolean => finalizer === orphanFinalizer || finalizer === foregroundFinalizer;

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
const atLeast = (seconds: number): number => (seconds < 0 ? 1 : seconds);

function nextGeneration({ metadata: { generation = 0 } }: ApiObject): { readonly generation?: number } {
  return generation > 0 ? { generation: generation + 1 } : {};
}
