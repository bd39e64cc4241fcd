import type { ControllerName } from '@kube-endpoints/controllers/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { WriteRequest } from '../harness/replica/network.ts';
import type { ControllerView } from './views.ts';

/** The writes of a process, separately for each of several Services of the same name. `uid`: of the owner of the writes. */
export interface Memory {
  startSync(controller: ControllerName, key: string, uid: string): void;
  recordWrite(writer: Writer, write: WriteRequest, answer: ApiObject): void;
  forgetWrites(controller: ControllerName, key: string, uid: string): void;
  /** Forgets all writes, because other clients may have written in the meantime. */
  clear(): void;
  /** Returns a problem if a write is based on a cache that is older than the process's own writes. */
  problemOfStaleness(controller: ControllerName, key: string, uid: string, write: WriteRequest, view: ControllerView): string | undefined;
}

interface Writer {
  readonly controller: ControllerName;
  readonly key: string;
  readonly uid: string;
}

export function createMemory(): Memory {
  /** The resourceVersion of the last write of slices, by the UID of their owner. */
  const lastWrites = new Map<string, number>();
  /** The last write of slices before the current sync, by controller and key of the Service. */
  const writesBeforeSync = new Map<string, { readonly uid: string; readonly version: number }>();
  /** Versions of Endpoints that updates of this process have replaced. */
  const replacedVersions = new Set<string>();
  return {
    startSync(controller: ControllerName, key: string, uid: string): void {
      if (controller !== 'endpoints') writesBeforeSync.set(`${controller} ${key}`, { uid, version: lastWrites.get(uid) ?? 0 });
    },
    recordWrite(
      { controller, key, uid }: { readonly controller: ControllerName; readonly key: string; readonly uid: string },
      { verb, object }: WriteRequest,
      answer: ApiObject,
    ): void {
      const { resourceVersion, ownerReferences } = answer.metadata;
      const base = object?.metadata.resourceVersion;
      if (controller === 'endpoints' && verb === 'update' && base !== resourceVersion) replacedVersions.add(`${key} ${uid} ${base}`);
      if (controller !== 'endpoints' && ownerReferences?.[0]?.['uid'] === uid) lastWrites.set(uid, Number(resourceVersion));
    },
    forgetWrites(controller: ControllerName, key: string, uid: string): void {
      writesBeforeSync.delete(`${controller} ${key}`);
      lastWrites.delete(uid);
    },
    clear(): void {
      writesBeforeSync.clear();
      lastWrites.clear();
      replacedVersions.clear();
    },
    problemOfStaleness(
      controller: ControllerName,
      key: string,
      uid: string,
      { verb, object }: WriteRequest,
      view: ControllerView,
    ): string | undefined {
      if (controller === 'endpoints') {
        const base = object?.metadata.resourceVersion;
        return verb === 'update' && replacedVersions.has(`${key} ${uid} ${base}`)
          ? `it has already replaced version ${base} itself`
          : undefined;
      }
      const lastWrite = writesBeforeSync.get(`${controller} ${key}`);
      const lastVersion = lastWrite?.uid === uid ? lastWrite.version : 0;
      return view.endpointslices < lastVersion
        ? `its cache of slices is at ${view.endpointslices}, but it wrote one at ${lastVersion} itself`
        : undefined;
    },
  };
}
