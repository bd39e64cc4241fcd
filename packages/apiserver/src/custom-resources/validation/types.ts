import { quote } from 'kube-endpoints/internal/apimachinery';
import { isFields } from '../../resources/field/read.ts';
import { isInt64 } from '../json-path/parse.ts';
import type { Schema } from '../schema/schema.ts';
import { isNearlyWhole } from './numbers.ts';
import { type Result, report } from './problem.ts';

/** Returns the types that a schema allows; empty if the schema specifies none. */
export const typesOf = (schema: Schema): readonly string[] => {
  if (schema['x-kubernetes-int-or-string']) return intOrString;
  return schema.type === undefined ? noTypes : [schema.type];
};

const intOrString: readonly string[] = ['integer', 'string'];
const noTypes: readonly string[] = [];

/** Mirrors typeValidator (kube-openapi/pkg/validation/validate, as of Kubernetes 1.36). A null counts as a match only if it is allowed. */
export function checkType(schema: Schema, types: readonly string[], format: string, value: unknown, path: string, result: Result): void {
  const reportWrongType = (expected: string, actualType: string): void =>
    report(result, {
      code: 'type',
      path,
      value: actualType,
      message: `${path} in body must be of type ${expected}: ${quote(actualType)}`,
    });
  if (value === null || value === undefined) {
    if (types.length > 0 && schema.nullable !== true) reportWrongType(types.join(','), 'null');
    else result.matches += 1;
    return;
  }
  const [actualType, actualFormat] = typeAndFormatOf(value);
  const isTextOrList = actualType === 'string' || actualType === 'array';
  const isNumber = types.includes('number') || types.includes('integer');
  const matchesType =
    types.includes(actualType) ||
    (actualType === 'number' && types.includes('integer') && isNearlyWhole(value as number)) ||
    (actualType === 'integer' && types.includes('number'));
  if (!isTextOrList && format !== '' && !matchesType && actualFormat !== format) reportWrongType(format, actualFormat);
  else if (!matchesType && (isNumber || format === '' || !isTextOrList)) reportWrongType(types.join(','), actualType);
  else result.matches += 1;
}

/** The type of a value, and Go's format for it. */
function typeAndFormatOf(value: unknown): readonly [string, string] {
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'boolean') return ['boolean', ''];
  if (typeof value === 'bigint') return ['integer', 'int64'];
  if (typeof value === 'number') return isInt64(value) ? ['integer', 'int64'] : ['number', 'float64'];
  return isFields(value) ? ['object', ''] : ['array', ''];
}
