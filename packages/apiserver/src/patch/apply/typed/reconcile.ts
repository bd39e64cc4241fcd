import { deducedType, type MapAtom, type TypeRef } from '../../types/type.ts';
import {
  createMutableSet,
  emptySet,
  type FieldSet,
  insert,
  isEmpty,
  type MutableFieldSet,
  recursiveDifference,
  union,
} from '../field-set.ts';
import { fieldNameOf, type Path } from '../path-element.ts';
import { handle, typeAt } from './atom.ts';

/**
 * Adapts a field set to a type that has become atomic: managers of single fields then own the whole value. Mirrors
 * ReconcileFieldSetWithSchema.
 */
export function reconcile(set: FieldSet, type: TypeRef): FieldSet {
  const atomicPaths = createMutableSet();
  collectAtomicPaths(set, type, [], false, atomicPaths);
  return isEmpty(atomicPaths) ? set : union(recursiveDifference(set, atomicPaths), atomicPaths);
}

/** @param isMember whether the set contains the path itself, and no field below it */
function collectAtomicPaths(set: FieldSet | undefined, type: TypeRef, path: Path, isMember: boolean, atomicPaths: MutableFieldSet): void {
  handle<void>(type.resolve(), {
    scalar: () => {},
    list(list) {
      if (list.atomic && !isMember) {
        insert(atomicPaths, path);
      } else {
        collectFromChildren(set, () => list.element, path, atomicPaths);
      }
    },
    map(map) {
      if (isUntypedMap(map)) return;
      if (map.atomic && !isMember) {
        if (set !== undefined && !isEmpty(set)) {
          insert(atomicPaths, path);
        }
      } else {
        collectFromChildren(set, (element) => typeAt(map, fieldNameOf(element) ?? ''), path, atomicPaths);
      }
    },
  });
}

function collectFromChildren(
  set: FieldSet = emptySet,
  typeOf: (element: string) => TypeRef | undefined,
  path: Path,
  atomicPaths: MutableFieldSet,
): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const type = typeOf(element);
    const children = set.children.get(element);
    if (type !== undefined) {
      collectAtomicPaths(children, type, [...path, element], set.members.has(element) && children === undefined, atomicPaths);
    }
  }
}

/** True for a map without declared fields whose values are untyped. */
const isUntypedMap = ({ element, fields }: MapAtom): boolean =>
  fields.size === 0 &&
  element !== undefined &&
  (element === deducedType || (element.name === undefined && element.resolve().scalar === 'untyped'));
