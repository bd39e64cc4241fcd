import { foregroundFinalizer, orphanFinalizer } from '@kube-endpoints/apiserver/internal';
import { metaNamespaceKey, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Call, Controller, ControllerContext, Steps } from '../../controller/controller.ts';
import { performIgnoring } from '../../controller/effects.ts';

/** The kinds whose owner references the collector follows: those that the simulated components create, and their owners. */
const kinds = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'ControllerRevision',
  'Pod',
  'Service',
  'EndpointSlice',
  'Endpoints',
  'PersistentVolumeClaim',
] as const;

/**
 * Creates the garbage collector: deletes objects whose owners are gone, in the background or in the foreground, or orphans them. Keys are
 * "Kind:namespace/name". Mirrors pkg/controller/garbagecollector of 1.36, without kinds that nothing creates here.
 */
export function createGarbageCollector({ cache }: ControllerContext): Controller {
  const dependents = createDependentsIndex();
  return {
    name: 'garbage-collector',
    kinds,
    handle(change, queue) {
      const { kind, previous, current } = change;
      if (previous) dependents.remove(previous);
      if (current) dependents.add(current);
      const object = (current ?? previous) as ApiObject;
      const key = `${kind}:${metaNamespaceKey(object.metadata)}`;
      if (current && !previous && ownersOf(object).length > 0) queue.add(key);
      if (current && isWaiting(current)) queue.add(key);
      if (!current) for (const dependent of dependents.of(object.metadata.uid)) queue.add(dependent);
      // The last dependent may delay the deletion of its owner.
      if (!current)
        for (const owner of ownersOf(object))
          queue.add(`${owner['kind']}:${metaNamespaceKey({ ...object.metadata, name: owner['name'] as string })}`);
    },
    *sync(key): Steps {
      const [kind = '', path = ''] = key.split(':');
      const { namespace, name } = splitMetaNamespaceKey(path);
      const object = cache.get(kind, namespace, name);
      if (!object) return;
      if (isWaiting(object)) yield* finalize(object, dependents.of(object.metadata.uid));
      else if (object.metadata.deletionTimestamp === undefined) yield* collect(cache, object);
    },
  };
}

type Owner = Readonly<Record<string, unknown>>;

const ownersOf = ({ metadata }: ApiObject): readonly Owner[] => metadata.ownerReferences ?? [];

/** Whether the deletion of an object waits for the collector. */
const isWaiting = ({ metadata }: ApiObject): boolean =>
  metadata.deletionTimestamp !== undefined &&
  !!metadata.finalizers?.some((each) => each === foregroundFinalizer || each === orphanFinalizer);

/** Deletes an object without owners that exist, or removes references to owners that do not. Mirrors `attemptToDeleteItem`. */
function* collect(cache: ControllerContext['cache'], object: ApiObject): Steps {
  const owners = ownersOf(object);
  if (owners.length === 0) return;
  const states = [];
  for (const owner of owners) states.push({ owner, state: yield* readOwner(cache, object, owner) });
  const gone = states.filter(({ state }) => state !== 'solid');
  if (gone.length === 0) return;
  const { namespace = '', name = '', uid } = object.metadata;
  const kind = object.kind as string;
  if (gone.length === owners.length) yield* write({ do: 'delete', kind, namespace, name, ...(uid !== undefined && { uid }) });
  else
    yield* removeOwners(
      object,
      gone.map(({ owner }) => owner['uid'] as string),
    );
}

/** Whether an owner exists, waits for its dependents, or is gone. Absence in the cache is checked with the API server. */
function* readOwner(
  cache: ControllerContext['cache'],
  { metadata: { namespace = '' } }: ApiObject,
  owner: Owner,
): Steps<'solid' | 'waiting' | 'absent'> {
  const [kind, name, uid] = [owner['kind'] as string, owner['name'] as string, owner['uid']];
  const cached = cache.get(kind, namespace, name);
  if (cached?.metadata.uid === uid) return cached && isWaiting(cached) ? 'waiting' : 'solid';
  const found = yield* performIgnoring({ do: 'get', kind, namespace: kind === 'Node' ? '' : namespace, name }, 'NotFound');
  return found && found.metadata.uid === uid ? 'solid' : 'absent';
}

/** Writes to an object, unless it is gone or has another UID. */
const write = (call: Call): Steps<ApiObject | undefined> => performIgnoring(call, 'NotFound', 'Conflict');

function* removeOwners({ kind = '', metadata }: ApiObject, uids: readonly string[]): Steps {
  const { namespace = '', name = '', uid } = metadata;
  const patch = { metadata: { uid, ownerReferences: uids.map((each) => ({ $patch: 'delete', uid: each })) } };
  yield* write({ do: 'patch', kind, namespace, name, patch, type: 'strategic' });
}

/** Deletes or orphans the dependents of an object, and then removes its finalizer. */
function* finalize({ kind = '', metadata }: ApiObject, dependents: readonly string[]): Steps {
  const { namespace = '', name = '', uid, finalizers = [] } = metadata;
  const isForeground = finalizers.includes(foregroundFinalizer);
  for (const key of dependents) {
    const [dependentKind = '', path = ''] = key.split(':');
    const dependent = splitMetaNamespaceKey(path);
    if (isForeground) yield* write({ do: 'delete', kind: dependentKind, namespace, name: dependent.name });
    else yield* removeOwners({ kind: dependentKind, metadata: { namespace, name: dependent.name } }, [uid ?? '']);
  }
  if (isForeground && dependents.length > 0) return;
  const rest = finalizers.filter((each) => each !== foregroundFinalizer && each !== orphanFinalizer);
  yield* write({ do: 'patch', kind, namespace, name, patch: { metadata: { uid, finalizers: rest } }, type: 'merge' });
}

/** The keys of the dependents of each owner's UID. */
function createDependentsIndex() {
  const byOwner = new Map<string, Set<string>>();
  const keyOf = ({ kind, metadata }: ApiObject): string => `${kind}:${metaNamespaceKey(metadata)}`;
  return {
    of: (uid = ''): readonly string[] => [...(byOwner.get(uid) ?? [])],
    add(object: ApiObject): void {
      for (const owner of ownersOf(object)) {
        const uid = owner['uid'] as string;
        const keys = byOwner.get(uid) ?? new Set();
        byOwner.set(uid, keys.add(keyOf(object)));
      }
    },
    remove(object: ApiObject): void {
      for (const owner of ownersOf(object)) byOwner.get(owner['uid'] as string)?.delete(keyOf(object));
    },
  };
}
