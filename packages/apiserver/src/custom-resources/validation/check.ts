import { compilePattern, type Pattern } from '@kube-endpoints/cel';
import { quote } from 'kube-endpoints/internal';
import { formatOf, formats } from '../../formats/strfmt.ts';
import { isFields, sameValue } from '../../resources/field/read.ts';
import { isWhole } from '../json-path/parse.ts';
import { additionalOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../schema/schema.ts';
import { checkAlternatives } from './alternatives.ts';
import { type Correlation, isUnchanged, itemIn, propertyIn } from './correlation.ts';
import { checkNumber } from './numbers.ts';
import { merge, newResult, type Result, report } from './problem.ts';
import { checkType, typesOf } from './types.ts';

/** State shared by the checks of one schema. */
interface Checking {
  /** Compiles a pattern once; undefined if it is invalid. */
  patternOf(source: string): Pattern | undefined;
}

export function createChecking(): Checking {
  const patterns = new Map<string, Pattern | undefined>();
  return {
    patternOf(source) {
      if (!patterns.has(source)) {
        const compiled = compilePattern(source);
        patterns.set(source, 'problem' in compiled ? undefined : compiled);
      }
      return patterns.get(source);
    },
  };
}

/**
 * Checks a value against a schema like kube-openapi (pkg/validation/validate, as of Kubernetes 1.36): with the same problems in the same
 * words, and the same choice among alternatives.
 * @param past the correlation with the old value, which lets problems of unchanged values pass
 */
export function check(checking: Checking, schema: Schema, value: unknown, path: string, past?: Correlation): Result {
  const result = checkNode(checking, schema, value, path, past);
  if (past && result.problems.length > 0 && isUnchanged(past)) return { problems: [], matches: result.matches };
  return result;
}

/** Like `check`, but does not let the value pass for being unchanged as a whole: alternatives are part of the value that has them. */
export function checkNode(checking: Checking, schema: Schema, value: unknown, path: string, past: Correlation | undefined): Result {
  const result = newResult();
  const types = typesOf(schema);
  const format = formatOf(schema, types);
  if (value === null || value === undefined) {
    checkType(schema, types, format, value, path, result);
    checkEnum(schema, value, path, result);
    return result;
  }
  if (types.length > 0 || format !== '') {
    checkType(schema, types, format, value, path, result);
    result.matches += 1;
  }
  merge(
    result,
    checkAlternatives(schema, path, (each) => checkNode(checking, each, value, path, past)),
  );
  result.matches += 1;
  checkKind(checking, schema, value, path, past, result);
  checkEnum(schema, value, path, result);
  result.matches += 2;
  return result;
}

function checkKind(checking: Checking, schema: Schema, value: unknown, path: string, past: Correlation | undefined, result: Result): void {
  if (typeof value === 'string') {
    checkText(checking, schema, value, path, result);
  } else if (typeof value === 'number') {
    const types = typesOf(schema);
    checkNumber(schema, types, formatOf(schema, types), value, path, (problem) => report(result, problem));
    result.matches += 2;
  } else if (Array.isArray(value)) {
    checkList(checking, schema, value, path, past, result);
    result.matches += 2;
  } else if (isFields(value)) {
    checkObject(checking, schema, value, path, past, result);
    result.matches += 1;
  }
}

function checkText(checking: Checking, schema: Schema, value: string, path: string, result: Result): void {
  result.matches += 1;
  const { maxLength, minLength, pattern } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : countCodePoints(value);
  const invalid = (message: string): void => report(result, { code: 'invalid', name: path, value, message: `${path} in body ${message}` });
  if (maxLength !== undefined && length > maxLength) {
    report(result, { code: 'tooLong', name: path, limit: maxLength, message: `${path} in body should be at most ${maxLength} chars long` });
  } else if (minLength !== undefined && length < minLength) {
    invalid(`should be at least ${minLength} chars long`);
  } else if (pattern !== undefined && checking.patternOf(pattern)?.matches(value) === false) {
    invalid(`should match '${pattern}'`);
  }
  const format = formatOf(schema, typesOf(schema));
  const isFormat = formats.get(format.replaceAll('-', ''));
  if (!isFormat) return;
  result.matches += 1;
  if (isFormat(value)) return;
  report(result, { code: 'type', name: path, value, message: `${path} in body must be of type ${format}: ${quote(value)}` });
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkList(
  checking: Checking,
  schema: Schema,
  value: readonly unknown[],
  path: string,
  past: Correlation | undefined,
  result: Result,
): void {
  const items = itemsOf(schema);
  if (items) {
    for (const [i, item] of value.entries()) {
      merge(result, check(checking, items, item, `${path}[${i}]`, past && itemIn(past, i)));
    }
  }
  const { minItems, maxItems } = schema;
  const size = value.length;
  if (minItems !== undefined && size < minItems) {
    report(result, { code: 'invalid', name: path, value: size, message: `${path} in body should have at least ${minItems} items` });
  }
  if (maxItems !== undefined && size > maxItems) {
    report(result, {
      code: 'tooMany',
      name: path,
      value: size,
      limit: maxItems,
      message: `${path} in body should have at most ${maxItems} items`,
    });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function checkObject(checking: Checking, schema: Schema, value: Fields, path: string, past: Correlation | undefined, result: Result): void {
  checkSize(schema, value, path, result);
  const additional = additionalOf(schema);
  for (const name of Object.keys(value)) {
    if (propertyOf(schema, name)) continue;
    if (schema.additionalProperties === false) {
      report(result, { code: 'invalid', name: path, value: name, message: `${path}.${name} in body is a forbidden property` });
    } else if (additional) {
      merge(result, check(checking, additional, value[name], `${path}.${name}`, past && propertyIn(past, name)));
    }
  }
  for (const [name, property] of propertiesOf(schema)) {
    if (!Object.hasOwn(value, name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    // The root's apiVersion and kind are not correlated, because both objects are in the same version here.
    const isTypeMeta = path === '' && (name === 'kind' || name === 'apiVersion');
    merge(result, check(checking, property, value[name], at, past && !isTypeMeta ? propertyIn(past, name) : undefined));
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    report(result, { code: 'required', name: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
}

function checkSize({ minProperties, maxProperties }: Schema, value: Fields, path: string, result: Result): void {
  if (minProperties === undefined && maxProperties === undefined) return;
  const size = Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    report(result, { code: 'invalid', name: path, value: size, message });
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    report(result, { code: 'tooMany', name: path, value: size, limit: maxProperties, message });
  }
}

function checkEnum(schema: Schema, value: unknown, path: string, result: Result): void {
  const allowed = schema.enum ?? [];
  if (allowed.length === 0 || allowed.some((each) => isAllowed(value ?? null, each))) return;
  report(result, {
    code: 'enum',
    name: path,
    value: value ?? null,
    allowed,
    message: `${path} in body should be one of ${JSON.stringify(allowed)}`,
  });
}

/** As in Go's conversions, a number is truncated to compare it with an integer, and null equals no choice. */
function isAllowed(value: unknown, choice: unknown): boolean {
  if (choice === null || value === null) return false;
  if (typeof value === 'number' && typeof choice === 'number' && isWhole(choice)) return Math.trunc(value) === choice;
  return sameValue(value, choice);
}
