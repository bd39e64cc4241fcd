import { equal, isMap, own } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { type FieldSet, type GrowingSet, growingSet, insert } from '../field-set.ts';
import { fieldElement, type Path, type PathElement } from '../path-element.ts';
import { deduce, handle, identify, listIn, mapIn, sameAtom, typeAt, type Value } from './atom.ts';

/** What differs between two values; no field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** `TypedValue.Compare`. Both values are valid, duplicates in lists apart. */
export function compare(left: Value, right: Value, type: TypeRef): Comparison {
  const found: Found = { added: growingSet(), modified: growingSet(), removed: growingSet() };
  walk(left, right, type, [], found);
  return found;
}

interface Found {
  readonly added: GrowingSet;
  readonly modified: GrowingSet;
  readonly removed: GrowingSet;
}

/** Undefined on one side means that the value is only on the other. */
function walk(left: Value, right: Value, type: TypeRef, path: Path, found: Found): void {
  const atom = type.resolve();
  const [leftAtom, rightAtom] = [deduce(atom, left), deduce(atom, right)];
  const handler = {
    scalar: () => leaf(left, right, path, found),
    list: (list: ListAtom) => {
      const [lefts, rights] = [listIn(left) ?? [], listIn(right) ?? []];
      return list.atomic || lefts.length + rights.length === 0 ? leaf(left, right, path, found) : items(lefts, rights, list, path, found);
    },
    map: (map: MapAtom) =>
      map.atomic || (hasNone(left) && hasNone(right)) ? leaf(left, right, path, found) : fields(left, right, map, path, found),
  };
  if (left !== undefined && right !== undefined && !sameAtom(leftAtom, rightAtom)) {
    handle(leftAtom, handler);
  }
  const isLeaf = handle(right === undefined ? leftAtom : rightAtom, handler);
  if (!isLeaf) {
    one(left, right, path, found);
  }
}

const hasNone = (value: Value): boolean => !isMap(value) || Object.keys(value).length === 0;

function leaf(left: Value, right: Value, path: Path, found: Found): true {
  if (!one(left, right, path, found) && !equal(left, right)) {
    insert(found.modified, path);
  }
  return true;
}

/** Notes what is on one side only. */
function one(left: Value, right: Value, path: Path, found: Found): boolean {
  if (left === undefined) {
    insert(found.added, path);
  } else if (right === undefined) {
    insert(found.removed, path);
  }
  return left === undefined || right === undefined;
}

function fields(left: Value, right: Value, map: MapAtom, path: Path, found: Found): false {
  const [lefts, rights] = [mapIn(left) ?? {}, mapIn(right) ?? {}];
  for (const key of new Set([...Object.keys(lefts), ...Object.keys(rights)])) {
    const type = typeAt(map, key);
    if (type !== undefined) {
      walk(own(lefts, key), own(rights, key), type, [...path, fieldElement(key)], found);
    }
  }
  return false;
}

/** Items that a side has more than once are compared as one; what they hold is nobody's field. */
function items(lefts: readonly unknown[], rights: readonly unknown[], list: ListAtom, path: Path, found: Found): false {
  const [leftItems, rightItems] = [grouped(lefts, list), grouped(rights, list)];
  for (const element of new Set([...leftItems.keys(), ...rightItems.keys()])) {
    const [left = [], right = []] = [leftItems.get(element), rightItems.get(element)];
    const inner = [...path, element];
    if (left.length <= 1 && right.length <= 1) {
      walk(left[0], right[0], list.element, inner, found);
    } else if (left.length > 1 && right.length > 1) {
      leaf(left, right, inner, found);
    } else if (left.length > 1) {
      if (right.length > 0) {
        walk(undefined, right[0], list.element, inner, found);
      }
      insert(found.removed, inner);
    } else {
      if (left.length > 0) {
        walk(left[0], undefined, list.element, inner, found);
      }
      insert(found.added, inner);
    }
  }
  return false;
}

function grouped(items: readonly unknown[], list: ListAtom): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const identified = identify(list, item);
    if ('element' in identified) {
      groups.set(identified.element, [...(groups.get(identified.element) ?? []), item]);
    }
  }
  return groups;
}
