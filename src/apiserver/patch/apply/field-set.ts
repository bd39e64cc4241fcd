import type { TypeRef } from '../types/type.ts';
import { compareElements, fieldName, isKeyElement, type Path, type PathElement } from './path-element.ts';

/** A set of fields: structured-merge-diff's `fieldpath.Set`. A field may be a member without its children and the other way round. */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A set while it is being made. */
export interface GrowingSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, GrowingSet>;
}

export const growingSet = (): GrowingSet => ({ members: new Set(), children: new Map() });

export const emptySet: FieldSet = growingSet();

export function setOf(...paths: readonly Path[]): FieldSet {
  const set = growingSet();
  for (const path of paths) {
    insert(set, path);
  }
  return set;
}

/** The whole object is not tracked: nothing happens for the empty path. */
export function insert(set: GrowingSet, path: Path): void {
  const last = path.at(-1);
  if (last !== undefined) {
    path.slice(0, -1).reduce(descend, set).members.add(last);
  }
}

/** The set below an element, made where there is none. */
export function descend(set: GrowingSet, element: PathElement): GrowingSet {
  const child = set.children.get(element) ?? growingSet();
  set.children.set(element, child);
  return child;
}

export const isEmpty = ({ members, children }: FieldSet): boolean => members.size === 0 && [...children.values()].every(isEmpty);

export const hasPath = (set: FieldSet, path: Path): boolean => {
  const last = path.at(-1);
  return last !== undefined && path.slice(0, -1).reduce(below, set).members.has(last);
};

export const below = (set: FieldSet, element: PathElement): FieldSet => set.children.get(element) ?? emptySet;

export function union(left: FieldSet, right: FieldSet): FieldSet {
  const children = new Map(left.children);
  for (const [element, child] of right.children) {
    const other = children.get(element);
    children.set(element, other === undefined ? child : union(other, child));
  }
  return { members: new Set([...left.members, ...right.members]), children };
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of left.children) {
    const both = intersection(child, below(right, element));
    if (!isEmpty(both)) {
      children.set(element, both);
    }
  }
  return { members: new Set([...left.members].filter((member) => right.members.has(member))), children };
}

/** What is in the left set and not in the right one, field by field: a parent in the right set leaves its children. */
export const difference = (left: FieldSet, right: FieldSet): FieldSet => subtract(left, right, difference);

/** What is in the left set, less the fields of the right one and all that lies below them. */
export const recursiveDifference = (left: FieldSet, right: FieldSet): FieldSet =>
  subtract(
    { members: left.members, children: new Map([...left.children].filter(([element]) => !right.members.has(element))) },
    right,
    recursiveDifference,
  );

function subtract(left: FieldSet, right: FieldSet, deeper: (left: FieldSet, right: FieldSet) => FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of left.children) {
    const other = right.children.get(element);
    const rest = other === undefined ? child : deeper(child, other);
    if (other === undefined || !isEmpty(rest)) {
      children.set(element, rest);
    }
  }
  return { members: new Set([...left.members].filter((member) => !right.members.has(member))), children };
}

/** The set and, for all that it has below fields of structs, those fields: `EnsureNamedFieldsAreMembers`. */
export function withNamedFields(set: FieldSet, type: TypeRef | undefined): FieldSet {
  const { map, list } = type?.resolve() ?? {};
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldName(element);
    const field = name === undefined ? undefined : map?.fields.get(name);
    if (field !== undefined) {
      members.add(element);
    }
    const childType = name !== undefined ? (field?.type ?? map?.element) : isKeyElement(element) ? list?.element : undefined;
    children.set(element, withNamedFields(child, childType));
  }
  return { members, children };
}

export const sorted = (elements: Iterable<PathElement>): PathElement[] => [...elements].sort(compareElements);

/** Every path in the set, in the order in which messages list them. */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  return [
    ...sorted(set.members).map((element) => [...prefix, element]),
    ...sorted(set.children.keys()).flatMap((element) => pathsOf(below(set, element), [...prefix, element])),
  ];
}
