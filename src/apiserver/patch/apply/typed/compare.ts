import { equal, isMap, type JsonMap, own } from '../../json.ts';
import type { ListAtom, MapAtom, TypeRef } from '../../types/type.ts';
import { descend, type FieldSet, type GrowingSet, growingSet } from '../field-set.ts';
import type { PathElement } from '../path-element.ts';
import { elementAt, identify, kindOf, listIn, mapIn, typeAt, type Value } from './atom.ts';
import { assertNone, problem } from './problems.ts';

/** What differs between two values; no field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * `TypedValue.Compare`. Both values are valid, duplicates in lists apart.
 * @param strict Nobody has looked whether the items of lists can be told apart: those that cannot be are thrown over.
 */
export function compare(left: Value, right: Value, type: TypeRef, strict = false): Comparison {
  const found = createFinder(strict);
  walk(left, right, type, found);
  return found.sets;
}

type Kind = 'added' | 'modified' | 'removed';

/** What was found, and where the walk is. */
interface Finder {
  readonly sets: Readonly<Record<Kind, GrowingSet>>;
  readonly strict: boolean;
  enter(element: PathElement): void;
  leave(): void;
  /** Notes the place where the walk is. The whole object is not tracked. */
  note(kind: Kind): void;
}

/** The sets are made as deep as something is found: most of what is compared is the same. */
function createFinder(strict: boolean): Finder {
  const path: PathElement[] = [];
  const root = { added: growingSet(), modified: growingSet(), removed: growingSet() };
  const open: Readonly<Record<Kind, (GrowingSet | undefined)[]>> = {
    added: [root.added],
    modified: [root.modified],
    removed: [root.removed],
  };
  const setAt = (kind: Kind, depth: number): GrowingSet => {
    const known = open[kind][depth];
    if (known) {
      return known;
    }
    const made = descend(setAt(kind, depth - 1), path[depth - 1] as PathElement);
    open[kind][depth] = made;
    return made;
  };
  return {
    sets: root,
    strict,
    enter(element) {
      path.push(element);
    },
    leave() {
      const depth = path.length;
      path.pop();
      open.added[depth] = undefined;
      open.modified[depth] = undefined;
      open.removed[depth] = undefined;
    },
    note(kind) {
      const last = path.at(-1);
      if (last !== undefined) {
        setAt(kind, path.length - 1).members.add(last);
      }
    },
  };
}

/** Undefined on one side means that the value is only on the other. */
function walk(left: Value, right: Value, type: TypeRef, found: Finder): void {
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

/** Whether it is one value as a whole. */
function visitList(left: Value, right: Value, list: ListAtom, found: Finder): boolean {
  const [lefts, rights] = [listIn(left) ?? nothing, listIn(right) ?? nothing];
  if (list.atomic || lefts.length + rights.length === 0) {
    return leaf(left, right, found);
  }
  items(lefts, rights, list, found);
  return false;
}

const nothing: readonly never[] = Object.freeze([]);

function visitMap(left: Value, right: Value, map: MapAtom, found: Finder): boolean {
  if (map.atomic || (hasNone(left) && hasNone(right))) {
    return leaf(left, right, found);
  }
  fields(mapIn(left) ?? {}, mapIn(right) ?? {}, map, found);
  return false;
}

const hasNone = (value: Value): boolean => !isMap(value) || Object.keys(value).length === 0;

function leaf(left: Value, right: Value, found: Finder): true {
  if (!one(left, right, found) && !equal(left, right)) {
    found.note('modified');
  }
  return true;
}

/** Notes what is on one side only. */
function one(left: Value, right: Value, found: Finder): boolean {
  if (left === undefined) {
    found.note('added');
  } else if (right === undefined) {
    found.note('removed');
  }
  return left === undefined || right === undefined;
}

function fields(lefts: JsonMap, rights: JsonMap, map: MapAtom, found: Finder): void {
  for (const key of Object.keys(lefts)) {
    field(key, own(lefts, key), own(rights, key), map, found);
  }
  for (const key of Object.keys(rights)) {
    if (!Object.hasOwn(lefts, key)) {
      field(key, undefined, own(rights, key), map, found);
    }
  }
}

function field(key: string, left: Value, right: Value, map: MapAtom, found: Finder): void {
  const type = left === right ? undefined : typeAt(map, key);
  if (type !== undefined) {
    inside(elementAt(map, key), () => walk(left, right, type, found), found);
  }
}

function inside(element: PathElement, look: () => void, found: Finder): void {
  found.enter(element);
  look();
  found.leave();
}

/** Items that a side has more than once are compared as one; what they hold is nobody's field. */
function items(lefts: readonly unknown[], rights: readonly unknown[], list: ListAtom, found: Finder): void {
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

function group(left: readonly unknown[], right: readonly unknown[], list: ListAtom, found: Finder): void {
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

function grouped(items: readonly unknown[], list: ListAtom, { strict }: Finder): Map<PathElement, unknown[]> {
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
