import { equal, getOwn, type JsonMap } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import type { PathElement } from '../path-element.ts';
import { asList, asMap, atomKindOf, elementAt, identify, isEmptyMap, typeAt, type Value } from './atom.ts';
import { type Comparison, createDifferenceCollector, createDifferenceTracer, type DifferenceVisitor } from './difference-visitor.ts';
import { assertNoProblems, createProblems } from './validate.ts';

/**
 * `TypedValue.Compare`. Both values must be valid, except for duplicate list items.
 * @param strict throws TypeProblems for list items that cannot be identified
 */
export function compare(left: Value, right: Value, type: TypeRef, strict = false): Comparison {
  const collector = createDifferenceCollector(strict);
  compareValues(left, right, type, collector);
  return collector.sets;
}

/**
 * Writes the differences as a text, which is cheaper than `compare`: if two texts are equal, so are the results of `compare`.
 * @throws TypeProblems as `compare` does
 */
export function traceDifferences(left: Value, right: Value, type: TypeRef, strict = false): string {
  const tracer = createDifferenceTracer(strict);
  compareValues(left, right, type, tracer);
  return tracer.text;
}

/** Compares two values; undefined means absent. */
function compareValues(left: Value, right: Value, type: TypeRef, visitor: DifferenceVisitor): void {
  if (left === right) return;
  const atom = type.resolve();
  const visit = (kind: 'list' | 'map' | 'scalar'): boolean => {
    if (kind === 'list') return visitList(left, right, atom.list as ListAtom, visitor);
    return kind === 'map' ? visitMap(left, right, atom.map as MapAtom, visitor) : compareWhole(left, right, visitor);
  };
  const [leftKind, rightKind] = [atomKindOf(atom, left), atomKindOf(atom, right)];
  if (left !== undefined && right !== undefined && leftKind !== rightKind) {
    visit(leftKind);
  }
  if (!visit(right === undefined ? leftKind : rightKind)) {
    reportOneSided(left, right, visitor);
  }
}

/** Compares two lists. Returns whether they were compared as a whole. */
function visitList(left: Value, right: Value, list: ListAtom, visitor: DifferenceVisitor): boolean {
  const [lefts, rights] = [asList(left) ?? noItems, asList(right) ?? noItems];
  if (list.atomic || lefts.length + rights.length === 0) return compareWhole(left, right, visitor);
  compareItems(lefts, rights, list, visitor);
  return false;
}

const noItems: readonly never[] = Object.freeze([]);

function visitMap(left: Value, right: Value, map: MapAtom, visitor: DifferenceVisitor): boolean {
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return compareWhole(left, right, visitor);
  compareFields(asMap(left) ?? {}, asMap(right) ?? {}, map, visitor);
  return false;
}

function compareWhole(left: Value, right: Value, visitor: DifferenceVisitor): true {
  if (!reportOneSided(left, right, visitor) && !equal(left, right)) {
    visitor.report('modified');
  }
  return true;
}

/** Reports a value that only one of the two objects has. Returns true if it reported one. */
function reportOneSided(left: Value, right: Value, visitor: DifferenceVisitor): boolean {
  if (left === undefined) {
    visitor.report('added');
  } else if (right === undefined) {
    visitor.report('removed');
  }
  return left === undefined || right === undefined;
}

function compareFields(lefts: JsonMap, rights: JsonMap, map: MapAtom, visitor: DifferenceVisitor): void {
  for (const key of Object.keys(lefts)) {
    compareField(key, getOwn(lefts, key), getOwn(rights, key), map, visitor);
  }
  for (const key of Object.keys(rights)) {
    if (!Object.hasOwn(lefts, key)) {
      compareField(key, undefined, getOwn(rights, key), map, visitor);
    }
  }
}

function compareField(key: string, left: Value, right: Value, map: MapAtom, visitor: DifferenceVisitor): void {
  const type = left === right ? undefined : typeAt(map, key);
  if (type !== undefined) {
    visitElement(elementAt(map, key), () => compareValues(left, right, type, visitor), visitor);
  }
}

function visitElement(element: PathElement, visit: () => void, visitor: DifferenceVisitor): void {
  visitor.enter(element);
  visit();
  visitor.leave();
}

/** Duplicate items are compared as a group; their fields are not tracked. */
function compareItems(lefts: readonly unknown[], rights: readonly unknown[], list: ListAtom, visitor: DifferenceVisitor): void {
  const [leftItems, rightItems] = [groupItems(lefts, list, visitor), groupItems(rights, list, visitor)];
  for (const [element, left] of leftItems) {
    visitElement(element, () => compareGroups(left, rightItems.get(element) ?? noItems, list, visitor), visitor);
  }
  for (const [element, right] of rightItems) {
    if (!leftItems.has(element)) {
      visitElement(element, () => compareGroups(noItems, right, list, visitor), visitor);
    }
  }
}

function compareGroups(left: readonly unknown[], right: readonly unknown[], list: ListAtom, visitor: DifferenceVisitor): void {
  if (left.length <= 1 && right.length <= 1) {
    compareValues(left[0], right[0], list.element, visitor);
  } else if (left.length > 1 && right.length > 1) {
    compareWhole(left, right, visitor);
  } else if (left.length > 1) {
    if (right.length > 0) {
      compareValues(undefined, right[0], list.element, visitor);
    }
    visitor.report('removed');
  } else {
    if (left.length > 0) {
      compareValues(left[0], undefined, list.element, visitor);
    }
    visitor.report('added');
  }
}

function groupItems(items: readonly unknown[], list: ListAtom, { strict }: DifferenceVisitor): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const [index, item] of items.entries()) {
    const identity = identify(list, item);
    if ('element' in identity) {
      const group = groups.get(identity.element);
      if (group) {
        group.push(item);
      } else {
        groups.set(identity.element, [item]);
      }
    } else if (strict) {
      assertNoProblems(createProblems(`element ${index}: ${identity.error}`));
    }
  }
  return groups;
}
