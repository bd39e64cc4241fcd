import { deduced, type MapAtom, type TypeRef } from '../../types/type.ts';
import { emptySet, type FieldSet, type GrowingSet, growingSet, insert, isEmpty, recursiveDifference, union } from '../field-set.ts';
import { fieldName, type Path } from '../path-element.ts';
import { handle, typeAt } from './atom.ts';

/**
 * Adapts a field set to a type that has become atomic: managers of single fields then own the whole value. `ReconcileFieldSetWithSchema`.
 */
export function reconcile(set: FieldSet, type: TypeRef): FieldSet {
  const whole = growingSet();
  walk(set, type, [], false, whole);
  return isEmpty(whole) ? set : union(recursiveDifference(set, whole), whole);
}

function walk(set: FieldSet | undefined, type: TypeRef, path: Path, isMember: boolean, whole: GrowingSet): void {
  handle<void>(type.resolve(), {
    scalar: () => {},
    list(list) {
      if (list.atomic && !isMember) {
        insert(whole, path);
      } else {
        each(set, () => list.element, path, whole);
      }
    },
    map(map) {
      if (isFree(map)) {
        return;
      }
      if (map.atomic && !isMember) {
        if (set !== undefined && !isEmpty(set)) {
          insert(whole, path);
        }
      } else {
        each(set, (element) => typeAt(map, fieldName(element) ?? ''), path, whole);
      }
    },
  });
}

function each(set: FieldSet = emptySet, typeOf: (element: string) => TypeRef | undefined, path: Path, whole: GrowingSet): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const type = typeOf(element);
    const children = set.children.get(element);
    if (type !== undefined) {
      walk(children, type, [...path, element], set.members.has(element) && children === undefined, whole);
    }
  }
}

/** True for a map without declared fields whose values are untyped. */
const isFree = ({ element, fields }: MapAtom): boolean =>
  fields.size === 0 &&
  element !== undefined &&
  (element === deduced || (element.name === undefined && element.resolve().scalar === 'untyped'));
