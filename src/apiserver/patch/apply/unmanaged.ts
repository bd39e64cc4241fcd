import { difference, isEmpty, setOf } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import type { Managers } from './updater.ts';

/** The managers, one of whom has lost what belongs to nobody: `NewStripMetaManager`. */
export function stripped(managers: Managers, manager: string): Managers {
  const versioned = managers.get(manager);
  const result = new Map(managers);
  if (versioned !== undefined) {
    const set = difference(versioned.set, unmanaged);
    if (isEmpty(set)) {
      result.delete(manager);
    } else {
      result.set(manager, { ...versioned, set });
    }
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
