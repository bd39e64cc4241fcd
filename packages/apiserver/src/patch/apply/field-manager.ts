import { ApiError } from 'kube-endpoints/port';
import { badRequest, status500 } from '../../store/errors.ts';
import { createManagerConflictError } from '../errors.ts';
import { formatGvk } from '../go-format.ts';
import { clone, equal, getOwn, type JsonMap, valueAt } from '../json.ts';
import { deducedType, type TypeRef } from '../types/type.ts';
import { capUpdateManagers } from './cap.ts';
import { type FieldSet, union } from './field-set.ts';
import type { FieldsCache } from './fields-cache.ts';
import { removeLastAppliedConflicts, updateLastApplied } from './last-applied.ts';
import {
  decodeManagedFields,
  decodeManagedFieldsOrNone,
  encodeManagedFields,
  identifierOf,
  isResetRequest,
  type ManagedFields,
  noManagers,
  stripMeta,
  withEntries,
  withManagedFields,
} from './managed-fields.ts';
import { requireDeclared, requireValid } from './require-valid.ts';
import { TypeProblems } from './typed/validate.ts';
import { apply, Conflicts, type UpdateContext, update, type VersionedObject } from './updater.ts';

/** Configuration for the managed fields of a resource or subresource. */
export interface FieldManagerOptions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource?: string;
  /** The type of the kind in an API version; undefined if the version does not exist. */
  readonly typeIn: (apiVersion: string) => TypeRef | undefined;
  /** Converts an object to another version; by default only apiVersion changes. */
  readonly convert?: (object: JsonMap, apiVersion: string) => JsonMap;
  /** Initial content of a new object. */
  readonly empty: Readonly<JsonMap>;
  readonly resetFields?: ReadonlyMap<string, FieldSet>;
  /** Skips validation, because all objects match their type. */
  readonly trusted?: boolean;
  /** Cache of parsed managed fields. Default none. */
  readonly cache?: FieldsCache;
  /** Converts the merge result to the object to store: canonical values, defaults, no nulls. Must not modify its argument. */
  readonly finish?: (object: JsonMap) => JsonMap;
}

export interface FieldManagerWrite {
  readonly manager: string;
  /** RFC 3339 in whole seconds. */
  readonly now: string;
}

/** Maintains `metadata.managedFields`: the default field manager of 1.36 (apimachinery/pkg/util/managedfields). */
export interface FieldManager {
  /**
   * Sets managedFields for a create, update or patch.
   * @param live undefined for a new object
   */
  update(live: JsonMap | undefined, object: JsonMap, write: FieldManagerWrite): JsonMap;
  /** Computes the managedFields that `update` would set. May share values with the live object. */
  computeManagedFields(live: JsonMap | undefined, object: JsonMap, write: FieldManagerWrite): readonly JsonMap[] | undefined;
  /**
   * Server-side apply: merges a configuration into the live object.
   * @param live undefined if the object does not exist
   * @throws ApiError Conflict if the configuration changes fields of other managers, unless forced
   */
  apply(live: JsonMap | undefined, config: JsonMap, write: FieldManagerWrite & { readonly force?: boolean }): JsonMap;
}

export const createFieldManager = (options: FieldManagerOptions): FieldManager => ({
  update: (live, object, write) => {
    const copy = clone(object);
    return withEntries(copy, clone(computeEntries(clone(live ?? options.empty), copy, write, options)));
  },
  computeManagedFields: (live, object, write) => computeEntries(live ?? options.empty, object, write, options),
  apply: (live, config, write) => applyConfiguration(clone(live ?? options.empty), clone(config), write, options),
});

/**
 * Computes the managedFields after a write. Returns undefined for existing objects without managers and for objects that cannot be
 * processed.
 */
function computeEntries(
  live: JsonMap,
  object: JsonMap,
  { manager, now }: FieldManagerWrite,
  options: FieldManagerOptions,
): JsonMap[] | undefined {
  const managedFields = decodeManaged(live, object, options);
  const isUntracked = managedFields.managers.size === 0 && Boolean(valueAt(live, 'metadata', 'uid'));
  if (isUntracked) return undefined;
  try {
    const managedAfter = capUpdateManagers(updateManagers(live, object, managedFields, manager, now, options));
    return encodeManagedFields(managedAfter, options.cache, options.trusted);
  } catch (error) {
    if (error instanceof ApiError || error instanceof TypeProblems) return undefined;
    throw error;
  }
}

/**
 * Decodes the written managedFields, or the live ones if the written ones are absent or invalid, or the write is to a subresource. An empty
 * list resets them. Mirrors `decodeLiveOrNew`.
 */
function decodeManaged(live: JsonMap, object: JsonMap, { subresource, cache }: FieldManagerOptions): ManagedFields {
  const writtenEntries = valueAt(object, 'metadata', 'managedFields');
  if (!subresource && isResetRequest(writtenEntries)) return noManagers;
  const liveEntries = valueAt(live, 'metadata', 'managedFields');
  // Most writes leave managedFields unchanged, and the decoded live ones may be cached.
  const managedFields = subresource || equal(writtenEntries, liveEntries) ? noManagers : decodeManagedFieldsOrNone(writtenEntries, cache);
  return managedFields.managers.size > 0 ? managedFields : decodeManagedFieldsOrNone(liveEntries, cache);
}

function updateManagers(
  live: JsonMap,
  object: JsonMap,
  managedFields: ManagedFields,
  manager: string,
  now: string,
  options: FieldManagerOptions,
): ManagedFields {
  const { apiVersion, subresource } = options;
  const [typedLive, typedObject] = [toVersionedObject(live, options), toVersionedObject(object, options)];
  if (!options.trusted) {
    requireValid(typedObject, { allowDuplicates: true }, (name) => `failed to convert new object (${name}) to smd typed`);
    requireValid(typedLive, { allowDuplicates: true }, (name) => `failed to convert live object (${name}) to smd typed`);
  }
  const managersAfter = update(typedLive, typedObject, managedFields.managers, currentOperation, createConverter(options));
  const managers = new Map(stripMeta(managersAfter, currentOperation, options.cache));
  const times = new Map(managedFields.times);
  const changedSet = managers.get(currentOperation);
  if (changedSet !== undefined) {
    const identifier = identifierOf({ manager: manager || 'unknown', operation: 'Update', apiVersion, subresource }, options.cache);
    const previousSet = managers.get(identifier)?.set;
    managers.delete(currentOperation);
    managers.set(
      identifier,
      previousSet === undefined ? changedSet : { apiVersion, applied: false, set: union(previousSet, changedSet.set) },
    );
    times.set(identifier, now);
  }
  return { managers, times };
}

function applyConfiguration(
  live: JsonMap,
  config: JsonMap,
  { manager, now, force = false }: FieldManagerWrite & { readonly force?: boolean },
  options: FieldManagerOptions,
): JsonMap {
  const liveManagedFields = decodeLive(live);
  assertApplicable(config, options);
  const managedFields = liveManagedFields.managers.size > 0 ? liveManagedFields : createBeforeFirstApply(live, now, options);
  const [typedLive, typedConfig] = [toVersionedObject(live, options), toVersionedObject(config, options)];
  requireValid(typedConfig, { allowDuplicates: false }, (name) => `failed to create typed patch object (${name})`);
  requireValid(typedLive, { allowDuplicates: true }, (name) => `failed to create typed live object (${name})`);
  const { apiVersion, subresource } = options;
  const identifier = identifierOf({ manager: manager || 'unknown', operation: 'Apply', apiVersion, subresource });
  const applyConfig = (forced: boolean) =>
    apply(typedLive, typedConfig, managedFields.managers, identifier, forced, createConverter(options));
  const result = resolveConflicts(applyConfig, force, manager, typedLive);
  const object = result.object === undefined ? clone(live) : (options.finish ?? clone)(result.object);
  if (manager === 'kubectl') {
    updateLastApplied(object, config);
  }
  const times = new Map(managedFields.times);
  if (result.object !== undefined) {
    times.set(identifier, now);
  }
  return withManagedFields(object, { managers: stripMeta(result.managers, identifier), times });
}

/** Assigns the fields that were set before the first apply to the manager "before-first-apply". */
function createBeforeFirstApply(live: JsonMap, now: string, options: FieldManagerOptions): ManagedFields {
  try {
    return updateManagers(clone(options.empty), live, noManagers, 'before-first-apply', now, options);
  } catch (error) {
    throw status500(`failed to create manager for existing fields: ${(error as Error).message}`);
  }
}

/**
 * Runs an apply. If kubectl conflicts only with its own earlier client-side apply, runs the apply again, forced.
 * @throws ApiError Conflict for other conflicts
 */
function resolveConflicts<Result>(run: (forced: boolean) => Result, force: boolean, manager: string, live: VersionedObject): Result {
  try {
    return run(force);
  } catch (error) {
    if (!(error instanceof Conflicts)) throw error;
    const remainingConflicts = manager === 'kubectl' ? removeLastAppliedConflicts(error, live) : error;
    if (remainingConflicts !== undefined) throw createManagerConflictError(remainingConflicts);
    return run(true);
  }
}

function decodeLive(live: JsonMap): ManagedFields {
  try {
    return decodeManagedFields(valueAt(live, 'metadata', 'managedFields'));
  } catch (error) {
    throw status500(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

function assertApplicable(config: JsonMap, { apiVersion, kind }: FieldManagerOptions): void {
  if (getOwn(config, 'apiVersion') !== apiVersion || getOwn(config, 'kind') !== kind) {
    throw badRequest(`invalid object type: ${formatGvk(config)}`);
  }
  if (Array.isArray(valueAt(config, 'metadata', 'managedFields'))) throw badRequest('metadata.managedFields must be nil');
}

/** managedFields themselves have no managers, so they are excluded from comparisons. */
function toVersionedObject(object: JsonMap, { apiVersion, typeIn }: FieldManagerOptions): VersionedObject {
  return { object: withManagedFields(object, undefined), apiVersion, type: typeIn(apiVersion) ?? deducedType };
}

function createConverter({ typeIn, convert = withApiVersion, resetFields, cache, trusted = false }: FieldManagerOptions): UpdateContext {
  return {
    resetFields,
    ...(cache && { cache }),
    trusted,
    convert(versioned, apiVersion) {
      if (versioned.apiVersion === apiVersion) return versioned;
      const type = typeIn(apiVersion);
      if (!type) return undefined;
      const object = convert(versioned.object as JsonMap, apiVersion);
      if (!trusted) requireDeclared(object, type);
      return { object, apiVersion, type };
    },
  };
}

const withApiVersion = (object: JsonMap, apiVersion: string): JsonMap => ({ ...object, apiVersion });

const currentOperation = 'current-operation';
