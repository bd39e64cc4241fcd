import { editDistance } from 'kube-endpoints/internal/apimachinery';
import { isMap } from './checks.ts';
import { knownFieldsOf, structOf } from './known-fields.ts';

/** A field that the kind of an object does not have: an API server drops it, or refuses the object. */
export interface UnknownField {
  /** "spec.ports[0].targetport" */
  readonly path: string;
  /** The known field with the most similar name, if one is similar. */
  readonly nearest?: string;
}

/** Finds the fields that a kind does not have, in the order of the object. Kinds without a table, and the status, are not checked. */
export function findUnknownFields(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): UnknownField[] {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const found: UnknownField[] = [];
  visit(object, structOf(apiVersion, kind), '', found);
  return found;
}

/** @param struct the struct of the value, or of the items of a list */
function visit(value: unknown, struct: string, path: string, found: UnknownField[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, struct, `${path}[${index}]`, found);
    return;
  }
  const known = knownFieldsOf(struct);
  if (!known || !isMap(value)) return;
  for (const [name, child] of Object.entries(value)) {
    if (found.length >= maxFields) return;
    const childPath = path === '' ? name : `${path}.${name}`;
    const childStruct = known.get(name);
    if (!known.has(name)) found.push({ path: childPath, ...findNearest(name, [...known.keys()]) });
    else if (childStruct !== undefined) visit(child, childStruct, childPath, found);
  }
}

/** An object with more unknown fields is probably of another kind. */
const maxFields = 20;

function findNearest(name: string, known: readonly string[]): Pick<UnknownField, 'nearest'> {
  const distances = known.map((field) => ({ field, distance: editDistance(field.toLowerCase(), name.toLowerCase(), maxDistance) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= maxDistance && best.distance < name.length / 2 ? { nearest: best.field } : {};
}

const maxDistance = 3;
