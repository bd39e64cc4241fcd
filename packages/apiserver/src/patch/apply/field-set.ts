import type { TypeRef } from '../types/type.ts';
import { compareElements, fieldNameOf, isKeyElement, type Path, type PathElement } from './path-element.ts';

/** A set of field paths: structured-merge-diff's `fieldpath.Set`. A field may be a member without its children and vice versa. */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A mutable set, during construction. */
export interface MutableFieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, MutableFieldSet>;
}

export const createMutableSet = (): MutableFieldSet => ({ members: new Set(), children: new Map() });

export const emptySet: FieldSet = createMutableSet();

export function createFieldSet(...paths: readonly Path[]): FieldSet {
  const set = createMutableSet();
  for (const path of paths) {
    insert(set, path);
  }
  return set;
}

/** Adds a path. Ignores the empty path, because the object as a whole is not tracked. */
export function insert(set: MutableFieldSet, path: Path): void {
  const last = path.at(-1);
  if (last !== undefined) {
    path.slice(0, -1).reduce(descend, set).members.add(last);
  }
}

/** Returns the set below an element; creates the set if absent. */
export function descend(set: MutableFieldSet, element: PathElement): MutableFieldSet {
  const existing = set.children.get(element);
  if (existing !== undefined) return existing;
  const child = createMutableSet();
  set.children.set(element, child);
  return child;
}

export function isEmpty({ members, children }: FieldSet): boolean {
  if (members.size > 0) return false;
  for (const child of children.values()) {
    if (!isEmpty(child)) return false;
  }
  return true;
}

export const hasPath = (set: FieldSet, path: Path): boolean => {
  const last = path.at(-1);
  return last !== undefined && path.slice(0, -1).reduce(childSet, set).members.has(last);
};

export const childSet = (set: FieldSet, element: PathElement): FieldSet => set.children.get(element) ?? emptySet;

/** The union; `left` itself if it contains `right`, and `right` itself if `left` is empty. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isTriviallyEmpty(right)) return left;
  if (isTriviallyEmpty(left)) return right;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of right.children) {
    const other = left.children.get(element);
    const combined = other === undefined ? child : union(other, child);
    if (combined !== other) {
      children ??= new Map(left.children);
      children.set(element, combined);
    }
  }
  let members: Set<PathElement> | undefined;
  for (const member of right.members) {
    if (!left.members.has(member)) {
      members ??= new Set(left.members);
      members.add(member);
    }
  }
  return withReplaced(left, members, children);
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (isTriviallyEmpty(left) || isTriviallyEmpty(right)) return emptySet;
  const children = new Map<PathElement, FieldSet>();
  const [fewerChildren, moreChildren] =
    left.children.size <= right.children.size ? [left.children, right.children] : [right.children, left.children];
  for (const [element, child] of fewerChildren) {
    const combined = intersection(child, moreChildren.get(element) ?? emptySet);
    if (!isEmpty(combined)) {
      children.set(element, combined);
    }
  }
  const members = new Set<PathElement>();
  for (const member of left.members) {
    if (right.members.has(member)) {
      members.add(member);
    }
  }
  return { members, children };
}

/** Members of `left` that are not in `right`, compared path by path: children of a removed parent stay. */
export const difference = (left: FieldSet, right: FieldSet): FieldSet => subtract(left, right, difference);

/** `left` without the fields of `right` and everything below them. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const member of right.members) {
    if (left.children.has(member)) {
      children ??= new Map(left.children);
      children.delete(member);
    }
  }
  return subtract(withReplaced(left, undefined, children), right, recursiveDifference);
}

/** Returns `left` itself if nothing is removed. */
function subtract(left: FieldSet, right: FieldSet, subtractChild: (left: FieldSet, right: FieldSet) => FieldSet): FieldSet {
  if (isTriviallyEmpty(left) || isTriviallyEmpty(right)) return left;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, other] of right.children) {
    const child = left.children.get(element);
    const remaining = child && subtractChild(child, other);
    if (remaining === undefined || remaining === child) continue;
    children ??= new Map(left.children);
    if (isEmpty(remaining)) {
      children.delete(element);
    } else {
      children.set(element, remaining);
    }
  }
  let members: Set<PathElement> | undefined;
  for (const member of right.members) {
    if (left.members.has(member)) {
      members ??= new Set(left.members);
      members.delete(member);
    }
  }
  return withReplaced(left, members, children);
}

/** Cheaper than `isEmpty`, but false for a set that has only empty children. */
const isTriviallyEmpty = ({ members, children }: FieldSet): boolean => members.size === 0 && children.size === 0;

const withReplaced = (
  set: FieldSet,
  members: ReadonlySet<PathElement> | undefined,
  children: ReadonlyMap<PathElement, FieldSet> | undefined,
): FieldSet => (members || children ? { members: members ?? set.members, children: children ?? set.children } : set);

/** Adds struct fields that have children as members: `EnsureNamedFieldsAreMembers`. */
export function withNamedFields(set: FieldSet, type: TypeRef | undefined): FieldSet {
  const { map, list } = type?.resolve() ?? {};
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldNameOf(element);
    const field = name === undefined ? undefined : map?.fields.get(name);
    if (field !== undefined) {
      members.add(element);
    }
    const childType = name !== undefined ? (field?.type ?? map?.element) : isKeyElement(element) ? list?.element : undefined;
    children.set(element, withNamedFields(child, childType));
  }
  return { members, children };
}

export const sortElements = (elements: Iterable<PathElement>): PathElement[] => [...elements].sort(compareElements);

/** Lists every path in the set, in the order of messages. */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  return [
    ...sortElements(set.members).map((element) => [...prefix, element]),
    ...sortElements(set.children.keys()).flatMap((element) => pathsOf(childSet(set, element), [...prefix, element])),
  ];
}
