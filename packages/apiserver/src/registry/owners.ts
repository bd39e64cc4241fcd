import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import type { StoreWrite } from '../store/index.ts';
import { foregroundFinalizer, hasFinalizer, isGoing, keyOf, type OwnerReference, orphanFinalizer, ownersOf } from './metadata.ts';
import type { Registry } from './registry.ts';

/** Detects from writes whether the garbage collector may have work, without a scan of all objects. */
export interface Owners {
  /** True if a write may cause garbage collection. */
  note(write: StoreWrite): boolean;
  /** True if the writes noted since the last call require garbage collection. */
  owe(): boolean;
}

interface Place {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Keeps state only about stored objects. */
export function createOwners(registry: Pick<Registry, 'resources' | 'store'>): Owners {
  /** Number of dependents by the owner's uid. */
  const dependents = new Map<string, number>();
  /** Uids of owners in foreground deletion. */
  const waiting = new Set<string>();
  /** Objects whose owners have not been looked up yet, by uid. */
  const unknown = new Map<string, Place>();
  let certain = false;

  const count = (object: ApiObject | undefined, by: 1 | -1): void => {
    for (const { uid } of object ? ownersOf(object) : []) {
      const total = (dependents.get(uid) ?? 0) + by;
      if (total > 0) dependents.set(uid, total);
      else dependents.delete(uid);
      if (waiting.has(uid)) certain = true;
    }
  };
  const noteOwners = ({ resource, current, previous }: StoreWrite): void => {
    if (current?.metadata.ownerReferences === previous?.metadata.ownerReferences) return;
    count(previous, -1);
    count(current, 1);
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (current && ownersOf(current).length > 0) unknown.set(uid, { resource, key: keyOf(current.metadata) });
    else unknown.delete(uid);
  };
  const noteEnd = ({ current, previous }: StoreWrite): void => {
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (!current) {
      waiting.delete(uid);
      if (dependents.has(uid)) certain = true;
      return;
    }
    if (!isGoing(current)) return;
    const isChanged = !previous || !isGoing(previous) || previous.metadata.finalizers !== current.metadata.finalizers;
    const [foreground, orphan] = [foregroundFinalizer, orphanFinalizer].map((finalizer) => hasFinalizer(current, finalizer));
    if (foreground) waiting.add(uid);
    else waiting.delete(uid);
    if (isChanged && (foreground || orphan)) certain = true;
  };
  return {
    note(write) {
      noteOwners(write);
      noteEnd(write);
      return certain || unknown.size > 0;
    },
    owe() {
      const owed = certain || [...unknown.values()].some((place) => isOrphan(registry, place));
      certain = false;
      unknown.clear();
      return owed;
    },
  };
}

/** True if an owner is missing or in foreground deletion, and all owners are of served kinds. */
function isOrphan({ resources, store }: Pick<Registry, 'resources' | 'store'>, { resource, key }: Place): boolean {
  const object = store.find(resource, key);
  if (!object || isGoing(object)) return false;
  const standings = ownersOf(object).map((owner) => {
    const kind = resources.find((each) => each.kind === owner.kind && each.group === groupOf(owner));
    if (!kind) return 'unknown';
    const { namespace } = object.metadata;
    const found = store.find(kind, { ...(namespace !== undefined && { namespace }), name: owner.name });
    const isThere = found?.metadata.uid === owner.uid && !(isGoing(found) && hasFinalizer(found, foregroundFinalizer));
    return isThere ? 'there' : 'gone';
  });
  return standings.includes('gone') && !standings.includes('unknown');
}

const groupOf = ({ apiVersion }: OwnerReference): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '');
