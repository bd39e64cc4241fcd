import { parseExactly } from '../../store/index.ts';
import { encode } from '../go-format.ts';
import { clone, getOwn, isMap, type JsonMap, put, valueAt } from '../json.ts';
import { createFieldSet, difference, type FieldSet, hasPath, isEmpty, pathsOf } from './field-set.ts';
import { compare } from './typed/compare.ts';
import { fieldsOf } from './typed/fields-of.ts';
import { validate } from './typed/validate.ts';
import { Conflicts, type VersionedObject } from './updater.ts';

/** The annotation in which client-side apply stores its last configuration. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

const maxAnnotationsBytes = 256 * 1024;

/**
 * Removes conflicts over fields that client-side apply set and that did not change since. Returns undefined if no conflicts remain. Mirrors
 * `lastAppliedManager` (1.36, apimachinery/pkg/util/managedfields/internal).
 */
export function removeLastAppliedConflicts(conflicts: Conflicts, live: VersionedObject): Conflicts | undefined {
  const lastAppliedSet = findLastAppliedFields(live);
  if (lastAppliedSet === undefined) return conflicts;
  const remainingSets = new Map<string, FieldSet>();
  for (const [manager, set] of conflicts.sets) {
    const remainingSet = createFieldSet(...pathsOf(set).filter((path) => !hasPath(lastAppliedSet, path)));
    if (!isEmpty(remainingSet)) {
      remainingSets.set(manager, remainingSet);
    }
  }
  return remainingSets.size > 0 ? new Conflicts(remainingSets) : undefined;
}

/** Updates the annotation, if present, to the applied configuration. Mirrors `lastAppliedUpdater`. Modifies the object. */
export function updateLastApplied(object: JsonMap, config: JsonMap): void {
  const annotations = valueAt(object, 'metadata', 'annotations');
  if (!isMap(annotations) || !getOwn(annotations, lastAppliedAnnotation)) return;
  const lastApplied = clone(config);
  const configAnnotations = valueAt(lastApplied, 'metadata', 'annotations');
  if (isMap(configAnnotations)) {
    delete configAnnotations[lastAppliedAnnotation];
  }
  put(annotations, lastAppliedAnnotation, `${encode(lastApplied)}\n`);
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  if (size > maxAnnotationsBytes) {
    delete annotations[lastAppliedAnnotation];
  }
}

function findLastAppliedFields({ object, apiVersion, type }: VersionedObject): FieldSet | undefined {
  const text = valueAt(object, 'metadata', 'annotations', lastAppliedAnnotation);
  try {
    const lastApplied: unknown = clone(parseExactly(String(text ?? '')));
    if (valueAt(lastApplied, 'apiVersion') !== apiVersion || !valueAt(lastApplied, 'kind')) return undefined;
    validate(object, type, false);
    validate(lastApplied, type, false);
    const { added, modified, removed } = compare(lastApplied, object, type);
    return difference(difference(difference(fieldsOf(lastApplied, type), modified), added), removed);
  } catch {
    // An invalid annotation does not remove any conflict.
    return undefined;
  }
}
