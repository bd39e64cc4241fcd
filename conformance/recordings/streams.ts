import type { ApiObject } from 'kube-endpoints/port';
import { keyOf, type TrueWrite } from './truth.ts';

/** The objects with managedFields, as a real API server keeps them. */
interface Managed {
  readonly write: TrueWrite;
  readonly object: ApiObject;
}

/** Deletions, bindings and evictions leave managedFields as they are. */
const isManaged = ({ change, object, previous }: TrueWrite): boolean =>
  change === 'create' ||
  (change === 'update' &&
    object.metadata.deletionGracePeriodSeconds === previous?.metadata.deletionGracePeriodSeconds &&
    nodeOf(object) === nodeOf(previous) &&
    !JSON.stringify(object['status'] ?? {}).includes('EvictionByEvictionAPI'));

const nodeOf = (object: ApiObject | undefined): unknown => (object?.['spec'] as { nodeName?: string } | undefined)?.nodeName;

/** Adds managedFields, whose times are in whole seconds. */
export function addManagedFields(writes: readonly TrueWrite[]): Managed[] {
  const managers = new Map<string, Map<string, string>>();
  return writes.map((write) => {
    const uid = write.object.metadata.uid as string;
    const ofObject = managers.get(uid) ?? new Map<string, string>();
    managers.set(uid, ofObject);
    if (isManaged(write)) ofObject.set(write.actor.replace(/\/.*/, ''), `${new Date(write.at).toISOString().slice(0, 19)}Z`);
    const managedFields = [...ofObject].map(([manager, time]) => ({ manager, operation: 'Update', time }));
    return { write, object: { ...write.object, metadata: { ...write.object.metadata, managedFields } } as ApiObject };
  });
}

/** The objects at a time, in milliseconds since the epoch, in the order of their keys. */
export function objectsAt(managed: readonly Managed[], time: number): ApiObject[] {
  const objects = new Map<string, ApiObject>();
  for (const { write, object } of managed) {
    if (write.at > time) break;
    if (write.change === 'delete') objects.delete(keyOf(object));
    else objects.set(keyOf(object), object);
  }
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

const types = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const;

/** The output of `kubectl get -w -o json` for each kind, from a time on. @param hasEvents as with `--output-watch-events` */
export function writeStreams(managed: readonly Managed[], from: number, hasEvents: boolean): ReadonlyMap<string, string> {
  const streams = new Map<string, string>();
  const print = (type: string, object: ApiObject): void => {
    const text = JSON.stringify(hasEvents ? { type, object } : object, null, 4);
    streams.set(object.kind as string, `${streams.get(object.kind as string) ?? ''}${text}\n`);
  };
  for (const object of objectsAt(managed, from)) print('ADDED', object);
  for (const { write, object } of managed) if (write.at > from) print(types[write.change], object);
  return streams;
}

/** The whole seconds at which dumps are taken, in milliseconds since the epoch. */
export function dumpTimes(from: number, to: number, seconds: number): number[] {
  const first = Math.ceil(from / 1000) * 1000;
  return Array.from({ length: Math.ceil((to - first) / (seconds * 1000)) }, (_, i) => first + i * seconds * 1000);
}

/** Dumps of all objects, by the names of their files. */
export const writeDumps = (managed: readonly Managed[], times: readonly number[]): ReadonlyMap<string, string> =>
  new Map(
    times.map((time) => [
      `dump-${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.json`,
      JSON.stringify({ kind: 'List', apiVersion: 'v1', items: objectsAt(managed, time) }),
    ]),
  );
