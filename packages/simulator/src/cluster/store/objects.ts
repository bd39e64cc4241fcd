import { compareText, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../../controller/controller.ts';
import type { Clock } from '../../engine/clock.ts';

/** The stored objects: like etcd, without checks. Stored objects must not be changed. */
export interface ObjectStore {
  /** The resourceVersion of the last write. */
  readonly version: string;
  find(kind: string, namespace: string, name: string): ApiObject | undefined;
  /** Objects of a namespace, or of all namespaces, in the order of their keys. */
  list(kind: string, namespace?: string): ApiObject[];
  /** All objects, by kind. */
  all(): ApiObject[];
  /** Stores an object with a new resourceVersion, and records the write. */
  put(actor: string, object: ApiObject, previous?: ApiObject): ApiObject;
  /** Removes an object, and records the deletion with a new resourceVersion. */
  remove(actor: string, object: ApiObject): ApiObject;
}

/** @param onChange receives each change, with its entry of the timeline as the cause of what it schedules */
export function createObjectStore(clock: Clock, onChange: (change: Change) => void): ObjectStore {
  const kinds = new Map<string, Map<string, ApiObject>>();
  let version = 0;
  const stamp = (object: ApiObject): ApiObject => {
    version += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  };
  return {
    get version() {
      return String(version);
    },
    find: (kind, namespace, name) => kinds.get(kind)?.get(namespace === '' ? name : `${namespace}/${name}`),
    list: (kind, namespace) =>
      [...(kinds.get(kind) ?? [])]
        .filter(([, { metadata }]) => namespace === undefined || metadata.namespace === namespace)
        .sort(([a], [b]) => compareText(a, b))
        .map(([, object]) => object),
    all: () => [...kinds.values()].flatMap((objects) => [...objects.values()]),
    put(actor, object, previous) {
      const kind = object.kind as string;
      const stored = stamp(object);
      const objects = kinds.get(kind) ?? new Map<string, ApiObject>();
      kinds.set(kind, objects);
      objects.set(metaNamespaceKey(stored.metadata), stored);
      clock.record({ type: previous ? 'update' : 'create', actor, object: stored, ...(previous && { previous }) }, () =>
        onChange({ kind, ...(previous && { previous }), current: stored }),
      );
      return stored;
    },
    remove(actor, object) {
      const kind = object.kind as string;
      const removed = stamp(object);
      kinds.get(kind)?.delete(metaNamespaceKey(removed.metadata));
      clock.record({ type: 'delete', actor, object: removed }, () => onChange({ kind, previous: removed }));
      return removed;
    },
  };
}
