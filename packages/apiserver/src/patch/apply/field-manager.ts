import { ApiError } from 'kube-endpoints/port';
import { badRequest, unclassified } from '../../store/errors.ts';
import { conflictError } from '../errors.ts';
import { at, clone, equal, isMap, type JsonMap, own } from '../json.ts';
import { deduced, type TypeRef } from '../types/type.ts';
import { capUpdateManagers } from './cap.ts';
import { type FieldSet, union } from './field-set.ts';
import type { FieldsCache } from './fields-cache.ts';
import { conflictsBeyondLastApplied, updateLastApplied } from './last-applied.ts';
import { decodeManagedFields, encodeManagedFields, identifierOf, isReset, type Managed, nobody, stripped } from './managed-fields.ts';
import { TypeProblems, validate } from './typed/validate.ts';
import { apply, Conflicts, type Converter, update, type Versioned } from './updater.ts';

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
  /** All objects are known to match their type, so validation is skipped. */
  readonly trusted?: boolean;
  /** Cache of parsed managed fields. Default none. */
  readonly cache?: FieldsCache;
  /** Turns the merge result into an object to store: canonical values, defaults, no nulls. Must not modify its argument. */
  readonly finish?: (object: JsonMap) => JsonMap;
}

export interface Write {
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
  update(live: JsonMap | undefined, object: JsonMap, write: Write): JsonMap;
  /** The managedFields that `update` would set. May share values with the live object. */
  managedFieldsOf(live: JsonMap | undefined, object: JsonMap, write: Write): readonly JsonMap[] | undefined;
  /**
   * Server-side apply: merges a configuration into the live object.
   * @param live undefined if the object does not exist
   * @throws ApiError Conflict over fields of other managers, unless forced
   */
  apply(live: JsonMap | undefined, config: JsonMap, write: Write & { readonly force?: boolean }): JsonMap;
}

export const createFieldManager = (options: FieldManagerOptions): FieldManager => ({
  update: (live, object, write) => {
    const copy = clone(object);
    return withEntries(copy, clone(entriesAfter(clone(live ?? options.empty), copy, write, options)));
  },
  managedFieldsOf: (live, object, write) => entriesAfter(live ?? options.empty, object, write, options),
  apply: (live, config, write) => applyConfiguration(clone(live ?? options.empty), clone(config), write, options),
});

/** Undefined for existing objects without managers and for objects that cannot be processed. */
function entriesAfter(live: JsonMap, object: JsonMap, { manager, now }: Write, options: FieldManagerOptions): JsonMap[] | undefined {
  const managed = managedAtUpdate(live, object, options);
  const isUntracked = managed.managers.size === 0 && Boolean(at(live, 'metadata', 'uid'));
  if (isUntracked) {
    return undefined;
  }
  try {
    return encodeManagedFields(capUpdateManagers(updated(live, object, managed, manager, now, options)), options.cache, options.trusted);
  } catch (error) {
    if (error instanceof ApiError || error instanceof TypeProblems) {
      return undefined;
    }
    throw error;
  }
}

/** `decodeLiveOrNew`: the written managedFields; the live ones if absent, invalid or from a subresource. An empty list resets them. */
function managedAtUpdate(live: JsonMap, object: JsonMap, { subresource, cache }: FieldManagerOptions): Managed {
  const written = at(object, 'metadata', 'managedFields');
  if (!subresource && isReset(written)) {
    return nobody;
  }
  const known = at(live, 'metadata', 'managedFields');
  // They usually are unchanged, and the stored ones may already be cached.
  const managed = subresource || equal(written, known) ? nobody : decodedOr(written, cache);
  return managed.managers.size > 0 ? managed : decodedOr(known, cache);
}

function decodedOr(entries: unknown, cache: FieldsCache | undefined): Managed {
  try {
    return decodeManagedFields(entries, cache);
  } catch {
    return nobody;
  }
}

function updated(live: JsonMap, object: JsonMap, managed: Managed, manager: string, now: string, options: FieldManagerOptions): Managed {
  const { apiVersion, subresource } = options;
  const [left, right] = [typed(live, options), typed(object, options)];
  if (!options.trusted) {
    checked(right, true, (name) => `failed to convert new object (${name}) to smd typed`);
    checked(left, true, (name) => `failed to convert live object (${name}) to smd typed`);
  }
  const after = update(left, right, managed.managers, currentOperation, converterFor(options));
  const managers = new Map(stripped(after, currentOperation, options.cache));
  const times = new Map(managed.times);
  const own = managers.get(currentOperation);
  if (own !== undefined) {
    const identifier = identifierOf({ manager: manager || 'unknown', operation: 'Update', apiVersion, subresource }, options.cache);
    const before = managers.get(identifier);
    managers.delete(currentOperation);
    managers.set(identifier, before === undefined ? own : { apiVersion, applied: false, set: union(before.set, own.set) });
    times.set(identifier, now);
  }
  return { managers, times };
}

function applyConfiguration(
  live: JsonMap,
  config: JsonMap,
  { manager, now, force = false }: Write & { readonly force?: boolean },
  options: FieldManagerOptions,
): JsonMap {
  const known = decodedLive(live);
  assertApplicable(config, options);
  const managed = known.managers.size > 0 ? known : beforeFirstApply(live, now, options);
  const [left, right] = [typed(live, options), typed(config, options)];
  checked(right, false, (name) => `failed to create typed patch object (${name})`);
  checked(left, true, (name) => `failed to create typed live object (${name})`);
  const { apiVersion, subresource } = options;
  const identifier = identifierOf({ manager: manager || 'unknown', operation: 'Apply', apiVersion, subresource });
  const run = (forced: boolean) => apply(left, right, managed.managers, identifier, forced, converterFor(options));
  const result = resolving(
    () => run(force),
    () => run(true),
    manager,
    left,
  );
  const object = result.object === undefined ? clone(live) : (options.finish ?? clone)(result.object);
  if (manager === 'kubectl') {
    updateLastApplied(object, config);
  }
  const times = new Map(managed.times);
  if (result.object !== undefined) {
    times.set(identifier, now);
  }
  return withManaged(object, { managers: stripped(result.managers, identifier), times });
}

/** Fields set before anything was managed are owned by a manager of that name. */
function beforeFirstApply(live: JsonMap, now: string, options: FieldManagerOptions): Managed {
  try {
    return updated(clone(options.empty), live, nobody, 'before-first-apply', now, options);
  } catch (error) {
    throw unclassified(`failed to create manager for existing fields: ${(error as Error).message}`);
  }
}

/** Conflicts of kubectl with its own earlier client-side apply are ignored. */
function resolving<Result>(run: () => Result, runForced: () => Result, manager: string, live: Versioned): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Conflicts)) {
      throw error;
    }
    const left = manager === 'kubectl' ? conflictsBeyondLastApplied(error, live) : error;
    if (left !== undefined) {
      throw conflictError(left);
    }
    return runForced();
  }
}

function decodedLive(live: JsonMap): Managed {
  try {
    return decodeManagedFields(at(live, 'metadata', 'managedFields'));
  } catch (error) {
    throw unclassified(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

function assertApplicable(config: JsonMap, { apiVersion, kind }: FieldManagerOptions): void {
  if (own(config, 'apiVersion') !== apiVersion || own(config, 'kind') !== kind) {
    throw badRequest(`invalid object type: ${kindText(config)}`);
  }
  if (Array.isArray(at(config, 'metadata', 'managedFields'))) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

function checked({ object, type }: Versioned, allowDuplicates: boolean, what: (name: string) => string): void {
  try {
    validate(object, type, allowDuplicates);
  } catch (error) {
    const part = (key: string) => [at(object, 'metadata', key)].filter((value) => typeof value === 'string');
    const name = `${part('namespace')}/${part('name')}; ${kindText(object as JsonMap)}`;
    throw unclassified(`${what(name)}: ${(error as Error).message}`);
  }
}

/** Formats a `schema.GroupVersionKind` as Go does. */
function kindText(object: JsonMap): string {
  const apiVersion = String(own(object, 'apiVersion') ?? '');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${own(object, 'kind') ?? ''}`;
}

/** managedFields themselves have no managers, so they are excluded from comparisons. */
function typed(object: JsonMap, { apiVersion, typeIn }: FieldManagerOptions): Versioned {
  return { object: withManaged(object, undefined), apiVersion, type: typeIn(apiVersion) ?? deduced };
}

function converterFor({ typeIn, convert = retagged, resetFields, cache, trusted = false }: FieldManagerOptions): Converter {
  return {
    resetFields,
    ...(cache && { cache }),
    trusted,
    convert(versioned, apiVersion) {
      if (versioned.apiVersion === apiVersion) {
        return versioned;
      }
      const type = typeIn(apiVersion);
      return type && { object: convert(versioned.object as JsonMap, apiVersion), apiVersion, type };
    },
  };
}

const retagged = (object: JsonMap, apiVersion: string): JsonMap => ({ ...object, apiVersion });

const withManaged = (object: JsonMap, managed: Managed | undefined): JsonMap =>
  withEntries(object, managed && encodeManagedFields(managed));

/** A copy with these managed fields; the given object is not modified. */
function withEntries(object: JsonMap, entries: readonly JsonMap[] | undefined): JsonMap {
  const metadata = own(object, 'metadata');
  if (!isMap(metadata) || (entries === undefined && metadata['managedFields'] === undefined)) {
    return object;
  }
  const { managedFields: _, ...bare } = metadata;
  return { ...object, metadata: entries === undefined ? bare : { ...bare, managedFields: entries } };
}

const currentOperation = 'current-operation';
