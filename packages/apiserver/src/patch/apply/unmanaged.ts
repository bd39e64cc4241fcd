import { difference, isEmpty, setOf } from './field-set.ts';
import type { FieldsCache } from './fields-cache.ts';
import { fieldElement } from './path-element.ts';
import type { Managers, VersionedSet } from './updater.ts';

/** The managers, one of whom has lost what belongs to nobody: `NewStripMetaManager`. */
export function stripped(managers: Managers, manager: string, cache?: Pick<FieldsCache, 'without'>): Managers {
  const versioned = managers.get(manager);
  const without = cache?.without ?? ((from, less, make) => make(from, less));
  const set = versioned && without(versioned.set, unmanaged, difference);
  if (set === undefined || set === versioned?.set) {
    return managers;
  }
  const result = new Map(managers);
  if (isEmpty(set)) {
    result.delete(manager);
  } else {
    const { apiVersion, applied } = versioned as VersionedSet;
    result.set(manager, { set, apiVersion, applied });
  }
  return result;
}

const inMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

const unmanaged = setOf(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...inMetadata.map((name) => [fieldElement('metadata'), fieldElement(name)]),
);
