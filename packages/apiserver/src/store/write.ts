import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import { alreadyExists, conflict, notFound, status500 } from './errors.ts';
import { freezeInPlace } from './freeze-in-place.ts';
import { intern, type WriteSize } from './intern.ts';
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
  /** True freezes the object in place instead of copying it. The caller must keep no reference, and no field may be undefined. */
  readonly owned?: boolean;
}

/** Stores a new object. @throws ApiError AlreadyExists */
export function create(
  state: StoreState,
  resource: Resource,
  key: ObjectKey,
  object: ApiObject,
  { owned = false }: OwnershipTransfer = {},
): ApiObject {
  const version = parseResourceVersion(object.metadata.resourceVersion);
  if (version.problem === undefined && version.value !== 0) throw status500('resourceVersion should not be set on objects to be created');
  const table = state.tableOf(resource);
  const storageKey = keyOf(resource, key);
  if (table.versions.has(storageKey)) throw alreadyExists(resource, key.name);
  const size: WriteSize = { addedBytes: 0, replacedBytes: 0 };
  const revision = state.revision + 1;
  const stored = owned
    ? (freezeInPlace(undefined, object, String(revision), size) as ApiObject)
    : withRevision(intern(undefined, object, size) as ApiObject, revision);
  const current = { object: stored, revision, size: size.addedBytes };
  apply(state, table, storageKey, { current, previous: undefined, bytes: size.addedBytes });
  return current.object;
}

/** Writes a changed object; returns the stored one if nothing changed. @throws ApiError NotFound, Conflict */
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
  const size: WriteSize = { addedBytes: 0, replacedBytes: 0 };
  const current = createVersion(previous, requested, state.revision + 1, size, ownership);
  if (!current) return previous.object;
  apply(state, table, storageKey, { current, previous, bytes: size.addedBytes + size.replacedBytes });
  return current.object;
}

/**
 * Deletes an object and returns it with the resourceVersion of the deletion.
 * @param validate throws if the object must not be deleted
 * @throws ApiError NotFound, Conflict
 */
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

/**
 * Calls `compute` with the stored object. Repeats the call if `compute` itself has replaced this object through the store.
 * @throws ApiError NotFound; Conflict if a precondition fails
 */
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
    checkPreconditions(state, resource, key, preconditions, previous.object);
    const result = compute(previous.object);
    if (table.versions.get(storageKey) === previous) return { table, storageKey, previous, result };
  }
}

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** @throws ApiError Conflict if `requested` has a resourceVersion that differs from the stored object's */
function checkVersion(resource: Resource, key: ObjectKey, requested: ApiObject, current: ApiObject): void {
  const { resourceVersion = '' } = requested.metadata;
  const isConditional = resourceVersion !== '' && resourceVersion !== '0';
  if (isConditional && resourceVersion !== current.metadata.resourceVersion) throw conflict(resource, key.name, modifiedMessage);
}

/** Mirrors Preconditions.Check (1.36, apiserver/pkg/storage/interfaces.go). */
function checkPreconditions(
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

/** Creates the next version; returns undefined if nothing changed. */
function createVersion(
  previous: StoredVersion,
  requested: ApiObject,
  revision: number,
  size: WriteSize,
  { owned = false }: OwnershipTransfer,
): StoredVersion | undefined {
  if (requested === previous.object) return undefined;
  const object = owned
    ? freezeInPlace(previous.object, requested, String(revision), size)
    : copyIfChanged(previous.object, requested, revision, size);
  return object && { object, revision, size: previous.size + size.addedBytes - size.replacedBytes };
}

function copyIfChanged(previous: ApiObject, requested: ApiObject, revision: number, size: WriteSize): ApiObject | undefined {
  const { resourceVersion } = previous.metadata;
  const comparableObject = { ...requested, metadata: { ...requested.metadata, resourceVersion } };
  const copy = intern(previous, comparableObject, size) as ApiObject;
  return copy === previous ? undefined : withRevision(copy, revision);
}
