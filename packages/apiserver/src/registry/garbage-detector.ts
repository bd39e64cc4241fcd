import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import type { StoreWrite } from '../store/index.ts';
import { foregroundFinalizer, hasFinalizer, isBeingDeleted, keyOf, orphanFinalizer, ownersOf } from './metadata.ts';
import type { Registry } from './registry.ts';

/** Detects from writes whether the garbage collector may have work, without a scan of all objects. */
export interface GarbageDetector {
  /** True if a write may cause garbage collection. */
  record(write: StoreWrite): boolean;
  /** Returns true if the writes recorded since the last call require garbage collection, and forgets these writes. */
  takePending(): boolean;
}

interface ObjectReference {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Keeps state only about stored objects. */
export function createGarbageDetector(registry: Pick<Registry, 'resources' | 'store'>): GarbageDetector {
  /** Number of dependents by the owner's uid. */
  const dependentCounts = new Map<string, number>();
  /** Uids of owners in foreground deletion. */
  const foregroundOwners = new Set<string>();
  /** Objects whose owners have not been looked up yet, by uid. */
  const unverifiedDependents = new Map<string, ObjectReference>();
  let isCollectionRequired = false;

  const addToCounts = (object: ApiObject | undefined, delta: 1 | -1): void => {
    for (const { uid } of object ? ownersOf(object) : []) {
      const total = (dependentCounts.get(uid) ?? 0) + delta;
      if (total > 0) dependentCounts.set(uid, total);
      else dependentCounts.delete(uid);
      if (foregroundOwners.has(uid)) isCollectionRequired = true;
    }
  };
  const recordOwners = ({ resource, current, previous }: StoreWrite): void => {
    if (current?.metadata.ownerReferences === previous?.metadata.ownerReferences) return;
    addToCounts(previous, -1);
    addToCounts(current, 1);
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (current && ownersOf(current).length > 0) unverifiedDependents.set(uid, { resource, key: keyOf(current.metadata) });
    else unverifiedDependents.delete(uid);
  };
  const recordDeletion = ({ current, previous }: StoreWrite): void => {
    const { uid = '' } = (current ?? previous)?.metadata ?? {};
    if (!current) {
      foregroundOwners.delete(uid);
      if (dependentCounts.has(uid)) isCollectionRequired = true;
      return;
    }
    if (!isBeingDeleted(current)) return;
    const isChanged = !previous || !isBeingDeleted(previous) || previous.metadata.finalizers !== current.metadata.finalizers;
    const [isForeground, isOrphaning] = [foregroundFinalizer, orphanFinalizer].map((finalizer) => hasFinalizer(current, finalizer));
    if (isForeground) foregroundOwners.add(uid);
    else foregroundOwners.delete(uid);
    if (isChanged && (isForeground || isOrphaning)) isCollectionRequired = true;
  };
  return {
    record(write) {
      recordOwners(write);
      recordDeletion(write);
      return isCollectionRequired || unverifiedDependents.size > 0;
    },
    takePending() {
      const isPending =
        isCollectionRequired || [...unverifiedDependents.values()].some((reference) => hasMissingOwner(registry, reference));
      isCollectionRequired = false;
      unverifiedDependents.clear();
      return isPending;
    },
  };
}

/** True if an owner is missing or in foreground deletion, and all owners are of served kinds. */
function hasMissingOwner({ resources, store }: Pick<Registry, 'resources' | 'store'>, { resource, key }: ObjectReference): boolean {
  const object = store.find(resource, key);
  if (!object || isBeingDeleted(object)) return false;
  const ownerStates = ownersOf(object).map((owner) => {
    const ownerResource = resources.find((each) => each.kind === owner.kind && each.group === parseApiVersion(owner.apiVersion).group);
    if (!ownerResource) return 'unknown';
    const { namespace } = object.metadata;
    const stored = store.find(ownerResource, { ...(namespace !== undefined && { namespace }), name: owner.name });
    const isPresent = stored?.metadata.uid === owner.uid && !(isBeingDeleted(stored) && hasFinalizer(stored, foregroundFinalizer));
    return isPresent ? 'present' : 'missing';
  });
  return ownerStates.includes('missing') && !ownerStates.includes('unknown');
}
