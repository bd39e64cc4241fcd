import { equal, isMap, type JsonMap, own } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import type { PathElement } from '../path-element.ts';
import { elementAt, identify, kindOf, listIn, mapIn, typeAt, type Value } from './atom.ts';
import { type Comparison, createDifferenceCollector, createDifferenceTracer, type DifferenceVisitor } from './difference-visitor.ts';
import { assertNone, problem } from './validate.ts';

/**
 * `TypedValue.Compare`. Both values must be valid, except for duplicate list items.
 * @param strict throws TypeProblems for list items that cannot be identified
 */
export function compare(left: Value, right: Value, type: TypeRef, strict = false): Comparison {
  const finder = createDifferenceCollector(strict);
  walk(left, right, type, finder);
  return finder.sets;
}

/**
 * A text that is equal for equal results of `compare`, and cheaper to compute.
 * @throws TypeProblems as `compare` does
 */
export function traceOf(left: Value, right: Value, type: TypeRef, strict = false): string {
  const tracer = createDifferenceTracer(strict);
  walk(left, right, type, tracer);
  return tracer.text;
}

/** Undefined means that the value is absent on that side. */
function walk(left: Value, right: Value, type: TypeRef, visitor: DifferenceVisitor): void {
  if (left === right) {
    return;
  }
  const atom = type.resolve();
  const visit = (kind: 'list' | 'map' | 'scalar'): boolean => {
    if (kind === 'list') {
      return visitList(left, right, atom.list as ListAtom, visitor);
    }
    return kind === 'map' ? visitMap(left, right, atom.map as MapAtom, visitor) : leaf(left, right, visitor);
  };
  const [before, after] = [kindOf(atom, left), kindOf(atom, right)];
  if (left !== undefined && right !== undefined && before !== after) {
    visit(before);
  }
  if (!visit(right === undefined ? before : after)) {
    one(left, right, visitor);
  }
}

/** True if the list is compared as a whole. */
function visitList(left: Value, right: Value, list: ListAtom, visitor: DifferenceVisitor): boolean {
  const [lefts, rights] = [listIn(left) ?? nothing, listIn(right) ?? nothing];
  if (list.atomic || lefts.length + rights.length === 0) {
    return leaf(left, right, visitor);
  }
  items(lefts, rights, list, visitor);
  return false;
}

const nothing: readonly never[] = Object.freeze([]);

function visitMap(left: Value, right: Value, map: MapAtom, visitor: DifferenceVisitor): boolean {
  if (map.atomic || (hasNone(left) && hasNone(right))) {
    return leaf(left, right, visitor);
  }
  fields(mapIn(left) ?? {}, mapIn(right) ?? {}, map, visitor);
  return false;
}

const hasNone = (value: Value): boolean => !isMap(value) || Object.keys(value).length === 0;

function leaf(left: Value, right: Value, visitor: DifferenceVisitor): true {
  if (!one(left, right, visitor) && !equal(left, right)) {
    visitor.report('modified');
  }
  return true;
}

/** Reports a value that is present on one side only; true if it is. */
function one(left: Value, right: Value, visitor: DifferenceVisitor): boolean {
  if (left === undefined) {
    visitor.report('added');
  } else if (right === undefined) {
    visitor.report('removed');
  }
  return left === undefined || right === undefined;
}

function fields(lefts: JsonMap, rights: JsonMap, map: MapAtom, visitor: DifferenceVisitor): void {
  for (const key of Object.keys(lefts)) {
    field(key, own(lefts, key), own(rights, key), map, visitor);
  }
  for (const key of Object.keys(rights)) {
    if (!Object.hasOwn(lefts, key)) {
      field(key, undefined, own(rights, key), map, visitor);
    }
  }
}

function field(key: string, left: Value, right: Value, map: MapAtom, visitor: DifferenceVisitor): void {
  const type = left === right ? undefined : typeAt(map, key);
  if (type !== undefined) {
    inside(elementAt(map, key), () => walk(left, right, type, visitor), visitor);
  }
}

function inside(element: PathElement, visit: () => void, visitor: DifferenceVisitor): void {
  visitor.enter(element);
  visit();
  visitor.leave();
}

/** Duplicate items are compared as a group; their fields are not tracked. */
function items(lefts: readonly unknown[], rights: readonly unknown[], list: ListAtom, visitor: DifferenceVisitor): void {
  const [leftItems, rightItems] = [grouped(lefts, list, visitor), grouped(rights, list, visitor)];
  for (const [element, left] of leftItems) {
    inside(element, () => group(left, rightItems.get(element) ?? nothing, list, visitor), visitor);
  }
  for (const [element, right] of rightItems) {
    if (!leftItems.has(element)) {
      inside(element, () => group(nothing, right, list, visitor), visitor);
    }
  }
}

function group(left: readonly unknown[], right: readonly unknown[], list: ListAtom, visitor: DifferenceVisitor): void {
  if (left.length <= 1 && right.length <= 1) {
    walk(left[0], right[0], list.element, visitor);
  } else if (left.length > 1 && right.length > 1) {
    leaf(left, right, visitor);
  } else if (left.length > 1) {
    if (right.length > 0) {
      walk(undefined, right[0], list.element, visitor);
    }
    visitor.report('removed');
  } else {
    if (left.length > 0) {
      walk(left[0], undefined, list.element, visitor);
    }
    visitor.report('added');
  }
}

function grouped(items: readonly unknown[], list: ListAtom, { strict }: DifferenceVisitor): Map<PathElement, unknown[]> {
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
