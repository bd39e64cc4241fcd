import type { Pattern } from '@kube-endpoints/cel';
import { quote } from 'kube-endpoints/internal/apimachinery';
import { loadPatternLibrary } from '../../cel/library.ts';
import { formatOf, formats } from '../../formats/strfmt.ts';
import { type Fields, isFields, sameValue } from '../../resources/field/read.ts';
import { writeJson } from '../../store/json.ts';
import { isInt64 } from '../json-path/parse.ts';
import { additionalPropertiesOf, itemsOf, propertiesOf, propertyOf, type Schema } from '../schema/schema.ts';
import { checkAlternatives } from './alternatives.ts';
import { type Correlation, correlateItem, correlateProperty, isUnchanged } from './correlation.ts';
import { checkNumber } from './numbers.ts';
import { createResult, merge, type Result, report } from './problem.ts';
import { checkType, typesOf } from './types.ts';

/** The compiled patterns of a schema, shared by all its checks. */
interface PatternCache {
  /** Compiles a pattern once; undefined if it is invalid. */
  patternOf(source: string): Pattern | undefined;
}

export function createPatternCache(): PatternCache {
  const patterns = new Map<string, Pattern | undefined>();
  return {
    patternOf(source) {
      if (!patterns.has(source)) {
        const pattern = loadPatternLibrary().compilePattern(source);
        patterns.set(source, 'problem' in pattern ? undefined : pattern);
      }
      return patterns.get(source);
    },
  };
}

/**
 * Checks a value against a schema like kube-openapi (pkg/validation/validate, as of Kubernetes 1.36): with the same problems in the same
 * words, and the same choice among alternatives.
 * @param correlation the correlation with the old value; problems of unchanged values are dropped
 */
export function check(patternCache: PatternCache, schema: Schema, value: unknown, path: string, correlation?: Correlation): Result {
  const result = checkNode(patternCache, schema, value, path, correlation);
  if (correlation && result.problems.length > 0 && isUnchanged(correlation)) return { problems: [], matches: result.matches };
  return result;
}

/** Like `check`, but keeps problems of a value that is unchanged as a whole; used for alternatives, which apply to the same value. */
export function checkNode(
  patternCache: PatternCache,
  schema: Schema,
  value: unknown,
  path: string,
  correlation: Correlation | undefined,
): Result {
  // Like kube-openapi's MatchCount, `matches` counts validators without problems; it decides which alternative is reported.
  const result = createResult();
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
    checkAlternatives(schema, path, (each) => checkNode(patternCache, each, value, path, correlation)),
  );
  result.matches += 1;
  checkValueByType(patternCache, schema, value, path, correlation, result);
  checkEnum(schema, value, path, result);
  result.matches += 2;
  return result;
}

function checkValueByType(
  patternCache: PatternCache,
  schema: Schema,
  value: unknown,
  path: string,
  correlation: Correlation | undefined,
  result: Result,
): void {
  if (typeof value === 'string') {
    checkText(patternCache, schema, value, path, result);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    const types = typesOf(schema);
    checkNumber(schema, types, formatOf(schema, types), value, path, (problem) => report(result, problem));
    result.matches += 2;
  } else if (Array.isArray(value)) {
    checkList(patternCache, schema, value, path, correlation, result);
    result.matches += 2;
  } else if (isFields(value)) {
    checkObject(patternCache, schema, value, path, correlation, result);
    result.matches += 1;
  }
}

function checkText(patternCache: PatternCache, schema: Schema, value: string, path: string, result: Result): void {
  result.matches += 1;
  const { maxLength, minLength, pattern } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : countCodePoints(value);
  const reportInvalid = (message: string): void => report(result, { code: 'invalid', path, value, message: `${path} in body ${message}` });
  if (maxLength !== undefined && length > maxLength) {
    report(result, { code: 'tooLong', path, limit: maxLength, message: `${path} in body should be at most ${maxLength} chars long` });
  } else if (minLength !== undefined && length < minLength) {
    reportInvalid(`should be at least ${minLength} chars long`);
  } else if (pattern !== undefined && patternCache.patternOf(pattern)?.matches(value) === false) {
    reportInvalid(`should match '${pattern}'`);
  }
  const format = formatOf(schema, typesOf(schema));
  const isFormat = formats.get(format.replaceAll('-', ''));
  if (!isFormat) return;
  result.matches += 1;
  if (isFormat(value)) return;
  report(result, { code: 'type', path, value, message: `${path} in body must be of type ${format}: ${quote(value)}` });
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkList(
  patternCache: PatternCache,
  schema: Schema,
  value: readonly unknown[],
  path: string,
  correlation: Correlation | undefined,
  result: Result,
): void {
  const items = itemsOf(schema);
  if (items) {
    for (const [i, item] of value.entries()) {
      merge(result, check(patternCache, items, item, `${path}[${i}]`, correlation && correlateItem(correlation, i)));
    }
  }
  checkSize(value.length, schema.minItems, schema.maxItems, 'items', path, result);
}

function checkObject(
  patternCache: PatternCache,
  schema: Schema,
  value: Fields,
  path: string,
  correlation: Correlation | undefined,
  result: Result,
): void {
  const names = Object.keys(value);
  checkSize(names.length, schema.minProperties, schema.maxProperties, 'properties', path, result);
  const additionalSchema = additionalPropertiesOf(schema);
  for (const name of names) {
    if (propertyOf(schema, name)) continue;
    if (schema.additionalProperties === false) {
      report(result, { code: 'invalid', path, value: name, message: `${path}.${name} in body is a forbidden property` });
    } else if (additionalSchema) {
      merge(
        result,
        check(patternCache, additionalSchema, value[name], `${path}.${name}`, correlation && correlateProperty(correlation, name)),
      );
    }
  }
  for (const [name, property] of propertiesOf(schema)) {
    if (!Object.hasOwn(value, name)) continue;
    const propertyPath = path === '' ? name : `${path}.${name}`;
    // The root's apiVersion and kind are not correlated, because the server always compares objects of the same version.
    const isTypeMeta = path === '' && (name === 'kind' || name === 'apiVersion');
    const propertyCorrelation = correlation && !isTypeMeta ? correlateProperty(correlation, name) : undefined;
    merge(result, check(patternCache, property, value[name], propertyPath, propertyCorrelation));
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    report(result, { code: 'required', path: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
}

function checkSize(
  size: number,
  min: number | undefined,
  max: number | undefined,
  noun: 'items' | 'properties',
  path: string,
  result: Result,
): void {
  if (min !== undefined && size < min) {
    report(result, { code: 'invalid', path, value: size, message: `${path} in body should have at least ${min} ${noun}` });
  }
  if (max !== undefined && size > max) {
    report(result, { code: 'tooMany', path, value: size, limit: max, message: `${path} in body should have at most ${max} ${noun}` });
  }
}

function checkEnum(schema: Schema, value: unknown, path: string, result: Result): void {
  const allowedValues = schema.enum ?? [];
  if (allowedValues.length === 0 || allowedValues.some((each) => isAllowed(value ?? null, each))) return;
  const message = `${path} in body should be one of ${writeJson(allowedValues)}`;
  report(result, { code: 'enum', path, value: value ?? null, allowed: allowedValues, message });
}

/** As Go converts types, a number is truncated before it is compared with an integer, and null equals no allowed value. */
function isAllowed(value: unknown, allowed: unknown): boolean {
  if (allowed === null || value === null) return false;
  if (typeof value === 'number' && typeof allowed === 'number' && isInt64(allowed)) return Math.trunc(value) === allowed;
  return sameValue(value, allowed);
}
