import { compareText } from 'kube-endpoints/internal/apimachinery';
import { type Cache, SyncError } from '../controller/controller.ts';

/**
 * The versions that a controller has written: a sync fails until the cache contains them. Mirrors ConsistencyStore (1.36,
 * pkg/controller/util/consistency).
 */
export interface ConsistencyStore {
  /** Records a write on behalf of an owner. */
  recordWrite(owner: string, ownerUid: string, kind: string, resourceVersion: string): void;
  /** Forgets the writes of an owner; without a UID, those of any owner of the name. */
  clear(owner: string, ownerUid?: string): void;
  /** @throws SyncError if the cache of a kind is older than a write of the owner */
  ensureReady(owner: string): void;
}

export function createConsistencyStore(cache: Cache): ConsistencyStore {
  const records = new Map<string, { readonly uid: string; readonly versions: Map<string, string> }>();
  return {
    recordWrite(owner, uid, kind, version) {
      let record = records.get(owner);
      if (record?.uid !== uid) {
        record = { uid, versions: new Map() };
        records.set(owner, record);
      }
      const written = record.versions.get(kind);
      if (written === undefined || compareVersions(written, version) < 0) record.versions.set(kind, version);
    },
    clear(owner, uid) {
      if (uid === undefined || records.get(owner)?.uid === uid) records.delete(owner);
    },
    ensureReady(owner) {
      for (const [kind, written] of records.get(owner)?.versions ?? []) {
        const read = cache.resourceVersion(kind);
        if (compareVersions(written, read) > 0)
          throw new SyncError(`read version: ${read} is not as new as written version: ${written} for kind ${kind}`);
      }
      records.delete(owner);
    },
  };
}

/** Compares resourceVersions, which are decimal numbers of any length. */
const compareVersions = (a: string, b: string): number => a.length - b.length || compareText(a, b);
