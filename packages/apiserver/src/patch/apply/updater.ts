import { equal, type JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { difference, type FieldSet, intersection, isEmpty, recursiveDifference, union, withNamedFields } from './field-set.ts';
import type { FieldsCache } from './fields-cache.ts';
import { compare } from './typed/compare.ts';
import type { Comparison } from './typed/difference-visitor.ts';
import { fieldsOf, removeFields } from './typed/fields-of.ts';
import { merge } from './typed/merge.ts';
import { reconcile } from './typed/reconcile.ts';

/** The fields of a manager, in the API version in which they were written. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** True if the manager wrote the fields with an apply, false if with an update. */
  readonly applied: boolean;
  /** The managedFields entry that the set was read from. It can be written again while the set is unchanged. */
  readonly entry?: JsonMap;
}

/** The sets by manager identifier. */
export type Managers = ReadonlyMap<string, VersionedSet>;

export interface VersionedObject {
  readonly object: unknown;
  readonly apiVersion: string;
  readonly type: TypeRef;
}

/** Resource-specific parts of the updater. */
export interface UpdateContext {
  /** Converts an object to another version; undefined if the version no longer exists. */
  convert(object: VersionedObject, apiVersion: string): VersionedObject | undefined;
  /** Fields, by version, that each write to this resource or subresource resets, so that no writer owns them. */
  readonly resetFields?: ReadonlyMap<string, FieldSet> | undefined;
  /** True if both objects are known to match their type, so that only the identity of list items is checked. */
  readonly trusted?: boolean;
  /** Cache of known sets. Default none. */
  readonly cache?: Pick<FieldsCache, 'reconcile' | 'compare' | 'subtract'> | undefined;
}

/** Conflicting fields by manager: `merge.Conflicts`. */
export class Conflicts extends Error {
  readonly sets: ReadonlyMap<string, FieldSet>;

  constructor(sets: ReadonlyMap<string, FieldSet>) {
    super('conflicts');
    this.name = 'Conflicts';
    this.sets = sets;
  }
}

/** Computes the managers after an update: `Updater.Update` (structured-merge-diff v6.3.3, merge/update.go). */
export function update(
  live: VersionedObject,
  object: VersionedObject,
  managers: Managers,
  manager: string,
  converter: UpdateContext,
): Managers {
  const { apiVersion } = object;
  const { managers: remainingManagers, comparison } = transferOwnership(live, object, reconcileAll(live, managers, converter), {
    manager,
    force: true,
    converter,
  });
  const { added, modified, removed } = comparison;
  const previousSet = remainingManagers.get(manager)?.set;
  const changedFields = union(modified, added);
  const set = removeResetFields(
    previousSet === undefined ? changedFields : union(difference(previousSet, removed), changedFields),
    apiVersion,
    converter,
  );
  const result = new Map(remainingManagers);
  if (isEmpty(set)) {
    result.delete(manager);
  } else {
    result.set(manager, { set, apiVersion, applied: false });
  }
  return result;
}

/** Computes the object after an apply (undefined if unchanged) and its managers: `Updater.Apply`. @throws Conflicts unless forced */
export function apply(
  live: VersionedObject,
  config: VersionedObject,
  managers: Managers,
  manager: string,
  force: boolean,
  converter: UpdateContext,
): { readonly object: JsonMap | undefined; readonly managers: Managers } {
  const { apiVersion, type } = config;
  const setsByManager = new Map(reconcileAll(live, managers, converter));
  const lastApplied = setsByManager.get(manager);
  setsByManager.set(manager, { set: removeResetFields(fieldsOf(config.object, type), apiVersion, converter), apiVersion, applied: true });
  const merged = { ...config, object: merge(live.object, config.object, type) };
  const object = prune(merged, setsByManager, apiVersion, lastApplied, converter);
  const result = transferOwnership(live, object, setsByManager, { manager, force, converter });
  return { object: equal(live.object, object.object) ? undefined : (object.object as JsonMap), managers: result.managers };
}

/**
 * Removes changed and deleted fields from all managers but `manager`, and managers whose version no longer exists.
 * @throws Conflicts unless forced
 */
function transferOwnership(
  live: VersionedObject,
  object: VersionedObject,
  managers: Managers,
  { manager, force, converter }: { readonly manager: string; readonly force: boolean; readonly converter: UpdateContext },
): { readonly managers: Managers; readonly comparison: Comparison } {
  const comparisons = new Map([[object.apiVersion, compareVersioned(live, object, converter)]]);
  const changedFieldsByComparison = new Map<Comparison, FieldSet>();
  const changedFieldsIn = (comparison: Comparison): FieldSet => {
    const fields = changedFieldsByComparison.get(comparison) ?? union(comparison.modified, comparison.added);
    changedFieldsByComparison.set(comparison, fields);
    return fields;
  };
  const result = new Map(managers);
  const conflicts = new Map<string, FieldSet>();
  for (const [other, versionedSet] of managers) {
    const { set, apiVersion, applied } = versionedSet;
    if (other === manager) continue;
    const comparison = comparisons.get(apiVersion) ?? compareConverted(live, object, apiVersion, converter);
    if (comparison === undefined) {
      result.delete(other);
      continue;
    }
    comparisons.set(apiVersion, comparison);
    const conflict = intersection(set, changedFieldsIn(comparison));
    if (!isEmpty(conflict)) {
      conflicts.set(other, conflict);
    }
    const remainingSet = difference(difference(set, conflict), comparison.removed);
    result.set(other, remainingSet === set ? versionedSet : { set: remainingSet, apiVersion, applied });
  }
  if (conflicts.size > 0 && !force) throw new Conflicts(conflicts);
  return {
    managers: new Map([...result].filter(([, { set }]) => !isEmpty(set))),
    comparison: comparisons.get(object.apiVersion) as Comparison,
  };
}

function compareConverted(
  live: VersionedObject,
  object: VersionedObject,
  apiVersion: string,
  converter: UpdateContext,
): Comparison | undefined {
  const [left, right] = [converter.convert(live, apiVersion), converter.convert(object, apiVersion)];
  return left && right && compareVersioned(left, right, converter);
}

function compareVersioned(left: VersionedObject, right: VersionedObject, converter: UpdateContext): Comparison {
  const compareObjects = converter.cache?.compare ?? compare;
  const { added, modified, removed } = compareObjects(left.object, right.object, right.type, converter.trusted);
  const filter = (set: FieldSet) => removeResetFields(set, right.apiVersion, converter);
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

function removeResetFields(set: FieldSet, apiVersion: string, { resetFields, cache }: UpdateContext): FieldSet {
  const resetSet = resetFields?.get(apiVersion);
  if (resetSet === undefined) return set;
  return cache ? cache.subtract(set, resetSet, recursiveDifference) : recursiveDifference(set, resetSet);
}

/** Removes fields that the manager applied before, no longer applies, and no other manager owns: `Updater.prune`. */
function prune(
  merged: VersionedObject,
  managers: Managers,
  apiVersion: string,
  lastApplied: VersionedSet | undefined,
  converter: UpdateContext,
): VersionedObject {
  const converted = lastApplied && !isEmpty(lastApplied.set) ? converter.convert(merged, lastApplied.apiVersion) : undefined;
  if (lastApplied === undefined || converted === undefined) return merged;
  const pruned = withoutFields(converted, withNamedFields(lastApplied.set, converted.type));
  const withOwnedItems = addBackOwnedItems(converted, pruned, managers, converter);
  const withDanglingItems = addBackDanglingItems(converted, withOwnedItems, lastApplied, converter);
  return converter.convert(withDanglingItems, apiVersion) ?? withDanglingItems;
}

/** Restores pruned fields that have an owner, in each version of the managers. */
function addBackOwnedItems(
  merged: VersionedObject,
  pruned: VersionedObject,
  managers: Managers,
  converter: UpdateContext,
): VersionedObject {
  const byVersion = new Map<string, FieldSet>();
  for (const { set, apiVersion } of managers.values()) {
    const fields = byVersion.get(apiVersion);
    byVersion.set(apiVersion, fields === undefined ? set : union(fields, set));
  }
  const versions = [...byVersion.keys()].sort((left, right) => Number(right === merged.apiVersion) - Number(left === merged.apiVersion));
  let result = pruned;
  for (const version of versions) {
    const mergedObject = converter.convert(merged, version);
    const rest = converter.convert(result, version);
    if (mergedObject !== undefined && rest !== undefined) {
      const [all, remainingFields, owned] = [
        fieldsIn(mergedObject),
        fieldsIn(rest),
        withNamedFields(byVersion.get(version) as FieldSet, mergedObject.type),
      ];
      result = withoutFields(mergedObject, difference(all, union(remainingFields, owned)));
    }
  }
  return result;
}

/** Restores pruned fields that the manager had not applied. */
function addBackDanglingItems(
  merged: VersionedObject,
  pruned: VersionedObject,
  lastApplied: VersionedSet,
  converter: UpdateContext,
): VersionedObject {
  const converted = converter.convert(pruned, lastApplied.apiVersion);
  if (converted === undefined) return merged;
  const prunedFields = difference(fieldsIn(merged), fieldsIn(converted));
  return withoutFields(merged, intersection(prunedFields, withNamedFields(lastApplied.set, merged.type)));
}

const fieldsIn = ({ object, type }: VersionedObject): FieldSet => withNamedFields(fieldsOf(object, type), type);

const withoutFields = (value: VersionedObject, fields: FieldSet): VersionedObject => ({
  ...value,
  object: removeFields(value.object, fields, value.type),
});

/** Adapts the managers' sets to the current types. Drops managers whose version no longer exists. */
function reconcileAll(live: VersionedObject, managers: Managers, converter: UpdateContext): Managers {
  const reconcileSet = converter.cache?.reconcile ?? reconcile;
  const result = new Map<string, VersionedSet>();
  for (const [manager, versionedSet] of managers) {
    const converted = converter.convert(live, versionedSet.apiVersion);
    if (converted !== undefined) {
      const set = reconcileSet(versionedSet.set, converted.type);
      const { apiVersion, applied } = versionedSet;
      result.set(manager, set === versionedSet.set ? versionedSet : { set, apiVersion, applied });
    }
  }
  return result;
}
