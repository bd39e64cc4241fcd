import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import { conflict } from '../store/index.ts';
import { timestampOf } from './context.ts';
import { foregroundFinalizer, isGoing, orphanFinalizer, withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** How a deletion goes on: over at once; the object as it waits from now on; or nothing to do, because it waits already. */
type Graceful = { readonly kind: 'now' | 'pending' } | { readonly kind: 'later'; readonly object: ApiObject; readonly period: number };

/** What is to become of an object that is deleted. Mirrors BeforeDelete (1.36, apiserver/pkg/registry/rest/delete.go). */
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

/** An object that goes already may be asked to hurry, never to take longer. */
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

/** The object that waits for its finalizers alone. Mirrors markAsDeleting (1.36, generic/registry/store.go). */
export function markedAsDeleting(object: ApiObject, now: number): ApiObject {
  const { deletionTimestamp } = object.metadata;
  const past = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now;
  return withMetadata(object, {
    deletionTimestamp: past ? deletionTimestamp : timestampOf(now),
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp === undefined && nextGeneration(object)),
  });
}

/** The object with the finalizers that the garbage collector is to take away again. Mirrors deletionFinalizersForGarbageCollection. */
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

/** Empty: neither is wanted. */
const byPolicy: Readonly<Record<string, string>> = { Orphan: orphanFinalizer, Foreground: foregroundFinalizer, Background: '' };

const isCollectors = (finalizer: string): boolean => finalizer === orphanFinalizer || finalizer === foregroundFinalizer;

function requirePreconditions(
  { resource: { group, kind } }: ResourceStrategy,
  object: ApiObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name = '', uid: ownUid = '', resourceVersion: ownVersion = '' } = object.metadata;
  // The original names the kind here, where the resource belongs.
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

/** A period below zero is one second. */
const atLeast = (seconds: number): number => (seconds < 0 ? 1 : seconds);

function nextGeneration({ metadata: { generation = 0 } }: ApiObject): { readonly generation?: number } {
  return generation > 0 ? { generation: generation + 1 } : {};
}
