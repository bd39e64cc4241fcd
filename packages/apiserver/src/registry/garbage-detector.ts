import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import type { StoreWrite } from '../store/index.ts';
import { foregroundFinalizer, hasFinalizer, isBeingDeleted, keyOf, type OwnerReference, orphanFinalizer, ownersOf } from './metadata.ts';
import type { Registry } from './registry.ts';

/** Detects from writes whether the garbage collector may have work, without a scan of all objects. */
export interface GarbageDetector {
  /** True if a write may cause garbage collection. */
  record(write: StoreWrite): boolean;
  /** True if the writes recorded since the last call require garbage collection. */
  takePending(): boolean;
}

interface ObjectReference {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Keeps state only about stored objects. */
export function createGarbageDetector(registry: Pick<Registry, 'resources' | 'store'>): GarbageDetector {
  /** Number of dependents by the owner's uid. */
  const dependents = new Map<string, number>();
  /** Uids of owners in foreground deletion. */
  const foregroundOwners = new Set<string>();
  /** Objects whose owners have not been looked up yet, by uid. */
  const unverified = new Map<string, ObjectReference>();
  let isRequired = false;

  const count = (object: ApiObject | undefined, delta: 1 | -1): void => {
    for (const { uid } of object ? ownersOf(object) : []) {
      const total = (dependents.get(uid) ?? 0) + delta;
      if (total > 0) dependents.set(uid, total);
      else dependents.delete(uid);
      if (foregroundOwners.has(uid)) isRequired = true;
    }
  };
  const recordOwners = ({ resource, current, previous }: StoreWrite): void => {
    if (current?.metadata.ownerReferences === previous?.metadata.ownerReferences) return;
    count(previous, -1);
    count(current, 1);
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (current && ownersOf(current).length > 0) unverified.set(uid, { resource, key: keyOf(current.metadata) });
    else unverified.delete(uid);
  };
  const recordDeletion = ({ current, previous }: StoreWrite): void => {
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (!current) {
      foregroundOwners.delete(uid);
      if (dependents.has(uid)) isRequired = true;
      return;
    }
    if (!isBeingDeleted(current)) return;
    const isChanged = !previous || !isBeingDeleted(previous) || previous.metadata.finalizers !== current.metadata.finalizers;
    const [foreground, orphan] = [foregroundFinalizer, orphanFinalizer].map((finalizer) => hasFinalizer(current, finalizer));
    if (foreground) foregroundOwners.add(uid);
    else foregroundOwners.delete(uid);
    if (isChanged && (foreground || orphan)) isRequired = true;
  };
  return {
    record(write) {
      recordOwners(write);
      recordDeletion(write);
      return isRequired || unverified.size > 0;
    },
    takePending() {
      const isPending = isRequired || [...unverified.values()].some((reference) => isOrphan(registry, reference));
      isRequired = false;
      unverified.clear();
      return isPending;
    },
  };
}

/** True if an owner is missing or in foreground deletion, and all owners are of served kinds. */
function isOrphan({ resources, store }: Pick<Registry, 'resources' | 'store'>, { resource, key }: ObjectReference): boolean {
  const object = store.find(resource, key);
  if (!object || isBeingDeleted(object)) return false;
  const ownerStates = ownersOf(object).map((owner) => {
    const kind = resources.find((each) => each.kind === owner.kind && each.group === groupOf(owner));
    if (!kind) return 'unknown';
    const { namespace } = object.metadata;
    const stored = store.find(kind, { ...(namespace !== undefined && { namespace }), name: owner.name });
    const isPresent = stored?.metadata.uid === owner.uid && !(isBeingDeleted(stored) && hasFinalizer(stored, foregroundFinalizer));
    return isPresent ? 'present' : 'missing';
  });
  return ownerStates.includes('missing') && !ownerStates.includes('unknown');
}

const groupOf = ({ apiVersion }: OwnerReference): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '');
