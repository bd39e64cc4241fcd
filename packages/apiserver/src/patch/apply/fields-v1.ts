import { isMap, type JsonMap } from '../json.ts';
import { descend, type FieldSet, type GrowingSet, growingSet, isEmpty, sorted } from './field-set.ts';
import { parseElement } from './path-element.ts';

/** Reads a set of fields as objects carry it (`metav1.FieldsV1`). Throws a SyntaxError over what is none. */
export function parseFields(fields: unknown): FieldSet {
  return read(fields).set;
}

/** A set of fields as objects carry it, its keys in their order. */
export function formatFields(set: FieldSet): JsonMap {
  const fields: JsonMap = {};
  addFields(set, fields);
  return fields;
}

function addFields(set: FieldSet, fields: JsonMap): void {
  const { members, children } = set;
  for (const element of sorted(children.size === 0 ? members : new Set([...members, ...children.keys()]))) {
    const child = children.get(element);
    const inner: JsonMap = {};
    if (child !== undefined && (child.members.size > 0 || child.children.size > 0)) {
      if (members.has(element)) {
        inner['.'] = {};
      }
      addFields(child, inner);
    }
    fields[element] = inner;
  }
}

/** An entry without entries of its own is a member, and so is one with a dot among them. */
function read(fields: unknown): { readonly set: GrowingSet; readonly isMember: boolean } {
  if (!isMap(fields ?? {})) {
    throw new SyntaxError('expect { or n in fields');
  }
  const set = growingSet();
  for (const [text, inner] of Object.entries(fields ?? {})) {
    const element = text === '.' ? undefined : parseElement(text);
    if (element !== undefined) {
      const child = read(inner);
      if (child.isMember) {
        set.members.add(element);
      }
      if (!isEmpty(child.set)) {
        merge(descend(set, element), child.set);
      }
    }
  }
  const isLeaf = set.members.size === 0 && set.children.size === 0;
  return { set, isMember: isLeaf || (isMap(fields) && Object.hasOwn(fields, '.')) };
}

/** Two spellings of an element may name the same one. */
function merge(into: GrowingSet, from: GrowingSet): void {
  for (const element of from.members) {
    into.members.add(element);
  }
  for (const [element, child] of from.children) {
    merge(descend(into, element), child);
  }
}
