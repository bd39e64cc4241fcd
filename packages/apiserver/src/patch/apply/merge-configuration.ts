import type { JsonMap } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { deduce, type Value } from './typed/atom.ts';
import { merge } from './typed/merge.ts';
import { TypeProblems, validate } from './typed/validate.ts';

/** A configuration cannot be merged. The message is upstream's. */
export class MergeProblem extends Error {}

/**
 * Merges a configuration into an object without managed fields.
 *
 * Mirrors ApplyStructuredMergeDiff (apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go, 1.36).
 * @throws MergeProblem if an argument does not match the type, or the configuration has atomic lists, maps or structs
 */
export function mergeConfiguration(object: JsonMap, configuration: JsonMap, type: TypeRef): JsonMap {
  requireValid(configuration, type, 'patch', false);
  const atomicPaths = findAtomics('', type, configuration);
  if (atomicPaths.length > 0)
    throw new MergeProblem(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomicPaths.join(', ')}`);
  requireValid(object, type, 'original', true);
  return merge(object, configuration, type) as JsonMap;
}

function requireValid(object: JsonMap, type: TypeRef, name: string, allowsDuplicates: boolean): void {
  try {
    validate(object, type, allowsDuplicates);
  } catch (error) {
    if (!(error instanceof TypeProblems)) throw error;
    throw new MergeProblem(`failed to convert ${name} object to typed object: ${error.message}`);
  }
}

/** As upstream, looks into declared fields only. */
function findAtomics(path: string, type: TypeRef, value: Value): readonly string[] {
  const { map, list } = deduce(type.resolve(), value);
  const own = (map ?? list)?.atomic && typeof value === 'object' && value !== null ? [path] : [];
  if (map && typeof value === 'object' && value !== null)
    return [
      ...own,
      ...Object.entries(value).flatMap(([key, each]) => {
        const field = map.fields.get(key);
        return field ? findAtomics(`${path}.${key}`, field.type, each) : [];
      }),
    ];
  if (list && Array.isArray(value)) return [...own, ...value.flatMap((each, i) => findAtomics(`${path}[${i}]`, list.element, each))];
  return own;
}
