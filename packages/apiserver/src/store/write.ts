import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import { adopt } from './adopt.ts';
import { alreadyExists, conflict, notFound, unclassified } from './errors.ts';
import { intern, type Tally } from './intern.ts';
import { toWatchEvent, withRevision } from './log.ts';
import type { StoredVersion, Table } from './records.ts';
import { parseResourceVersion } from './resource-version.ts';
import { apply, type StoreState } from './state.ts';
import { keyOf } from './table.ts';

/** Conditions that the stored object must meet for a write. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Ownership of an object that is passed to the store. */
export interface OwnershipTransfer {
  /** The caller keeps no reference and no field is undefined: the object is frozen in place instead of copied. */
  readonly owned?: boolean;
}

export function create(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  object: ApiObject,
  { owned = false }: OwnershipTransfer = {},
): ApiObject {
  const version = parseResourceVersion(object.metadata.resourceVersion);
  if (version.problem === undefined && version.value !== 0) {
    throw unclassified('resourceVersion should not be set on objects to be created');
  }
  const table = state.tableOf(resource);
  const storageKey = keyOf(resource, key);
  if (table.versions.has(storageKey)) throw alreadyExists(resource, key.name);
  const tally: Tally = { fresh: 0, replaced: 0 };
  const revision = state.revision + 1;
  const stored = owned
    ? (adopt(undefined, object, String(revision), tally) as ApiObject)
    : withRevision(intern(undefined, object, tally) as ApiObject, revision);
  const current = { object: stored, revision, size: tally.fresh };
  apply(state, table, storageKey, { current, previous: undefined, bytes: tally.fresh });
  return current.object;
}

/** Writes a changed object; returns the stored one if nothing changed. */
export function update(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  change: (current: ApiObject) => ApiObject,
  preconditions: Preconditions,
  ownership: OwnershipTransfer = {},
): ApiObject {
  const { table, storageKey, previous, result: requested } = resolveWrite(state, resource, key, preconditions, change);
  checkVersion(resource, key, requested, previous.object);
  const tally: Tally = { fresh: 0, replaced: 0 };
  const current = createVersion(previous, requested, state.revision + 1, tally, ownership);
  if (!current) return previous.object;
  apply(state, table, storageKey, { current, previous, bytes: tally.fresh + tally.replaced });
  return current.object;
}

/** Deletes an object and returns it with the resourceVersion of the deletion. */
export function remove(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  preconditions: Preconditions,
  validate?: (current: ApiObject) => void,
): ApiObject {
  const { table, storageKey, previous } = resolveWrite(state, resource, key, preconditions, (current) => validate?.(current));
  const event = apply(state, table, storageKey, { current: undefined, previous, bytes: previous.size });
  return toWatchEvent(event, 'DELETED').object;
}

interface ResolvedWrite<T> {
  readonly table: Table;
  readonly storageKey: string;
  readonly previous: StoredVersion;
  readonly result: T;
}

/** Calls `compute` with the stored object. If `compute` itself wrote to that object, calls it again with the new version. */
function resolveWrite<T>(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  preconditions: Preconditions,
  compute: (current: ApiObject) => T,
): ResolvedWrite<T> {
  const table = state.tableOf(resource);
  const storageKey = keyOf(resource, key);
  for (;;) {
    const previous = table.versions.get(storageKey);
    if (!previous) throw notFound(resource, key.name);
    check(state, resource, key, preconditions, previous.object);
    const result = compute(previous.object);
    if (table.versions.get(storageKey) === previous) return { table, storageKey, previous, result };
  }
}

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** @throws ApiError Conflict if `requested` carries another resourceVersion than the stored object */
function checkVersion(resource: Resource, key: ObjectKey, requested: ApiObject, current: ApiObject): void {
  const { resourceVersion = '' } = requested.metadata;
  const conditional = resourceVersion !== '' && resourceVersion !== '0';
  if (conditional && resourceVersion !== current.metadata.resourceVersion) throw conflict(resource, key.name, modifiedMessage);
}

/** Mirrors Preconditions.Check (1.36, apiserver/pkg/storage/interfaces.go). */
function check(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  { uid, resourceVersion }: Preconditions,
  { metadata }: ApiObject,
): void {
  const fail = (field: string, requested: string, actual = ''): never => {
    const path = `${state.pathOf(resource)}/${keyOf(resource, key)}`;
    const message = `Precondition failed: ${field} in precondition: ${requested}, ${field} in object meta: ${actual}`;
    throw conflict(
      resource,
      key.name,
      `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${message}`,
    );
  };
  if (uid !== undefined && uid !== (metadata.uid ?? '')) fail('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    fail('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}

/** The next version; undefined if nothing changed. */
function createVersion(
  previous: StoredVersion,
  requested: ApiObject,
  revision: number,
  tally: Tally,
  { owned = false }: OwnershipTransfer,
): StoredVersion | undefined {
  if (requested === previous.object) return undefined;
  const object = owned
    ? adopt(previous.object, requested, String(revision), tally)
    : copyChanged(previous.object, requested, revision, tally);
  return object && { object, revision, size: previous.size + tally.fresh - tally.replaced };
}

function copyChanged(previous: ApiObject, requested: ApiObject, revision: number, tally: Tally): ApiObject | undefined {
  const { resourceVersion } = previous.metadata;
  const comparable = { ...requested, metadata: { ...requested.metadata, resourceVersion } };
  const copy = intern(previous, comparable, tally) as ApiObject;
  return copy === previous ? undefined : withRevision(copy, revision);
}
