import { format, formatSyntax, typeName } from '../../go-format.ts';
import { getOwn, getSortedKeys, type JsonMap } from '../../json.ts';
import type { ListAtom, MapAtom, Scalar, TypeRef } from '../../types/type.ts';
import { createFieldElement, createIndexElement, formatElement } from '../path-element.ts';
import { asList, asMap, deduce, handle, identify, typeAt, type Value } from './atom.ts';

/**
 * Checks that a value matches its type: `TypedValue.Validate`. Stored lists may contain duplicates; applied lists may not.
 * @throws TypeProblems
 */
export function validate(value: Value, type: TypeRef, allowDuplicates: boolean): void {
  assertNoProblems(findProblems(value, type, allowDuplicates));
}

/** Says why a value does not match a scalar type; empty if it matches or is null or absent. */
export function findScalarProblems(scalar: Scalar, value: Value, prefix = ''): Problem[] {
  if (value === undefined || value === null) return [];
  const [expected, actual] = {
    numeric: ['numeric (int or float)', typeName(value)],
    string: ['string', `&value.valueUnstructured{Value:${formatSyntax(value)}}`],
    boolean: ['boolean', formatWrapped(value)],
    untyped: ['any scalar', formatWrapped(value)],
  }[scalar] as [string, string];
  const type = typeof value === 'bigint' ? 'number' : typeof value;
  const matches = scalar === 'untyped' ? type !== 'object' : type === (scalar === 'numeric' ? 'number' : scalar);
  return matches ? [] : createProblems(`${prefix}expected ${expected}, got ${actual}`);
}

function findProblems(value: Value, type: TypeRef, allowDuplicates: boolean): Problem[] {
  const atom = deduce(type.resolve(), value);
  return handle(atom, {
    scalar: () => findScalarProblems(atom.scalar ?? 'untyped', value),
    list(list) {
      const items = asList(value);
      return items || value === null
        ? checkItems(items ?? [], list, allowDuplicates)
        : createProblems(`expected list, got ${formatWrapped(value)}`);
    },
    map(map) {
      const fields = asMap(value);
      return fields || value === null
        ? checkFields(fields ?? {}, map, allowDuplicates)
        : createProblems(`expected map, got ${formatWrapped(value)}`);
    },
  });
}

function checkItems(items: readonly unknown[], list: ListAtom, allowDuplicates: boolean): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const identity = list.atomic ? { element: createIndexElement(index) } : identify(list, item);
    if ('error' in identity) return [...problems, ...createProblems(`element ${index}: ${identity.error}`)];
    const text = formatElement(identity.element);
    if (seen.has(identity.element) && !allowDuplicates) {
      problems.push(...createProblems(`duplicate entries for key ${text}`));
    }
    seen.add(identity.element);
    problems.push(...withPrefix(findProblems(item, list.element, allowDuplicates), text));
  }
  return problems;
}

function checkFields(fields: JsonMap, map: MapAtom, allowDuplicates: boolean): Problem[] {
  const problems: Problem[] = [];
  for (const key of getSortedKeys(fields)) {
    const type = typeAt(map, key);
    const path = formatElement(createFieldElement(key));
    if (type === undefined) return [...problems, ...withPrefix(createProblems('field not declared in schema'), path)];
    problems.push(...withPrefix(findProblems(getOwn(fields, key), type, allowDuplicates), path));
  }
  return problems;
}

const formatWrapped = (value: Value): string => `&{${format(value)}}`;

/** A mismatch between value and type: `typed.ValidationError`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Type mismatches, worded as `typed.ValidationErrors`. */
export class TypeProblems extends Error {
  constructor(problems: readonly Problem[]) {
    const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.name = 'TypeProblems';
  }
}

export const createProblems = (message: string): Problem[] => [{ path: '', message }];

export const withPrefix = (problems: readonly Problem[], prefix: string): Problem[] =>
  problems.map(({ path, message }) => ({ path: prefix + path, message }));

export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new TypeProblems(problems);
}
