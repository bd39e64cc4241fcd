import { equal, isMap, type JsonMap, own } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import type { PathElement } from '../path-element.ts';
import { elementAt, identify, kindOf, listIn, mapIn, typeAt, type Value } from './atom.ts';
import { type Comparison, createFinder, createTracer, type Found } from './found.ts';
import { assertNone, problem } from './validate.ts';

/**
 * `TypedValue.Compare`. Both values must be valid, except for duplicate list items.
 * @param strict throws TypeProblems for list items that cannot be identified
 */
export function compare(left: Value, right: Value, type: TypeRef, strict = false): Comparison {
  const finder = createFinder(strict);
  walk(left, right, type, finder);
  return finder.sets;
}

/**
 * A text that is equal for equal results of `compare`, and cheaper to compute.
 * @throws TypeProblems as `compare` does
 */
export function traceOf(left: Value, right: Value, type: TypeRef, strict = false): string {
  const tracer = createTracer(strict);
  walk(left, right, type, tracer);
  return tracer.text;
}

/** Undefined means that the value is absent on that side. */
function walk(left: Value, right: Value, type: TypeRef, found: Found): void {
  if (left === right) {
    return;
  }
  const atom = type.resolve();
  const visit = (kind: 'list' | 'map' | 'scalar'): boolean => {
    if (kind === 'list') {
      return visitList(left, right, atom.list as ListAtom, found);
    }
    return kind === 'map' ? visitMap(left, right, atom.map as MapAtom, found) : leaf(left, right, found);
  };
  const [before, after] = [kindOf(atom, left), kindOf(atom, right)];
  if (left !== undefined && right !== undefined && before !== after) {
    visit(before);
  }
  if (!visit(right === undefined ? before : after)) {
    one(left, right, found);
  }
}

/** True if the list is compared as a whole. */
function visitList(left: Value, right: Value, list: ListAtom, found: Found): boolean {
  const [lefts, rights] = [listIn(left) ?? nothing, listIn(right) ?? nothing];
  if (list.atomic || lefts.length + rights.length === 0) {
    return leaf(left, right, found);
  }
  items(lefts, rights, list, found);
  return false;
}

const nothing: readonly never[] = Object.freeze([]);

function visitMap(left: Value, right: Value, map: MapAtom, found: Found): boolean {
  if (map.atomic || (hasNone(left) && hasNone(right))) {
    return leaf(left, right, found);
  }
  fields(mapIn(left) ?? {}, mapIn(right) ?? {}, map, found);
  return false;
}

const hasNone = (value: Value): boolean => !isMap(value) || Object.keys(value).length === 0;

function leaf(left: Value, right: Value, found: Found): true {
  if (!one(left, right, found) && !equal(left, right)) {
    found.note('modified');
  }
  return true;
}

/** Reports a value that is present on one side only; true if it is. */
function one(left: Value, right: Value, found: Found): boolean {
  if (left === undefined) {
    found.note('added');
  } else if (right === undefined) {
    found.note('removed');
  }
  return left === undefined || right === undefined;
}

function fields(lefts: JsonMap, rights: JsonMap, map: MapAtom, found: Found): void {
  for (const key of Object.keys(lefts)) {
    field(key, own(lefts, key), own(rights, key), map, found);
  }
  for (const key of Object.keys(rights)) {
    if (!Object.hasOwn(lefts, key)) {
      field(key, undefined, own(rights, key), map, found);
    }
  }
}

function field(key: string, left: Value, right: Value, map: MapAtom, found: Found): void {
  const type = left === right ? undefined : typeAt(map, key);
  if (type !== undefined) {
    inside(elementAt(map, key), () => walk(left, right, type, found), found);
  }
}

function inside(element: PathElement, look: () => void, found: Found): void {
  found.enter(element);
  look();
  found.leave();
}

/** Duplicate items are compared as a group; their fields are not tracked. */
function items(lefts: readonly unknown[], rights: readonly unknown[], list: ListAtom, found: Found): void {
  const [leftItems, rightItems] = [grouped(lefts, list, found), grouped(rights, list, found)];
  for (const [element, left] of leftItems) {
    inside(element, () => group(left, rightItems.get(element) ?? nothing, list, found), found);
  }
  for (const [element, right] of rightItems) {
    if (!leftItems.has(element)) {
      inside(element, () => group(nothing, right, list, found), found);
    }
  }
}

function group(left: readonly unknown[], right: readonly unknown[], list: ListAtom, found: Found): void {
  if (left.length <= 1 && right.length <= 1) {
    walk(left[0], right[0], list.element, found);
  } else if (left.length > 1 && right.length > 1) {
    leaf(left, right, found);
  } else if (left.length > 1) {
    if (right.length > 0) {
      walk(undefined, right[0], list.element, found);
    }
    found.note('removed');
  } else {
    if (left.length > 0) {
      walk(left[0], undefined, list.element, found);
    }
    found.note('added');
  }
}

function grouped(items: readonly unknown[], list: ListAtom, { strict }: Found): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const [index, item] of items.entries()) {
    const identified = identify(list, item);
    if ('element' in identified) {
      const known = groups.get(identified.element);
      if (known) {
        known.push(item);
      } else {
        groups.set(identified.element, [item]);
      }
    } else if (strict) {
      assertNone(problem(`element ${index}: ${identified.error}`));
    }
  }
  return groups;
}
