import { formatFloat } from '../../patch/go-format.ts';
import { isInt64, printNumber } from '../json-path/parse.ts';
import type { Schema } from '../schema/schema.ts';
import type { ValidationProblem } from './problem.ts';

type Report = (problem: ValidationProblem) => void;

/**
 * Checks a number. Mirrors numberValidator (kube-openapi/pkg/validation/validate, as of Kubernetes 1.36), which truncates fractional bounds
 * when it checks integers.
 */
export function checkNumber(
  schema: Schema,
  types: readonly string[],
  format: string,
  value: number | bigint,
  path: string,
  report: Report,
): void {
  const type = types.length === 1 ? (types[0] as string) : '';
  reportIfOutOfRange(value, type, format, 'Checked', path, report);
  const { multipleOf, maximum, minimum } = schema;
  const isInteger = typeof value === 'bigint' || isInt64(value);
  if (multipleOf !== undefined) {
    const asInteger = !reportIfOutOfRange(multipleOf, type, format, 'MultipleOf', path, report) && isInteger;
    checkMultiple(value, multipleOf, asInteger, path, report);
  }
  if (maximum !== undefined) {
    const asInteger = !reportIfOutOfRange(maximum, type, format, 'Maximum boundary', path, report) && isInteger;
    const limit = asInteger ? Math.trunc(maximum) : maximum;
    const isExclusive = schema.exclusiveMaximum === true;
    if (value > limit || (isExclusive && value === limit)) {
      reportBound(value, isExclusive ? 'less than' : 'less than or equal to', limit, asInteger, path, report);
    }
  }
  if (minimum !== undefined) {
    const asInteger = !reportIfOutOfRange(minimum, type, format, 'Minimum boundary', path, report) && isInteger;
    const limit = asInteger ? Math.trunc(minimum) : minimum;
    const isExclusive = schema.exclusiveMinimum === true;
    if (value < limit || (isExclusive && value === limit)) {
      reportBound(value, isExclusive ? 'greater than' : 'greater than or equal to', limit, asInteger, path, report);
    }
  }
}

function reportBound(value: number | bigint, relation: string, limit: number, asInteger: boolean, path: string, report: Report): void {
  const printedLimit = asInteger ? printNumber(limit) : formatFloat(limit);
  report({ code: 'invalid', path, value, message: `${path} in body should be ${relation} ${printedLimit}` });
}

/** The smallest number that overflows when it is rounded to a 32-bit float. */
export const float32OverflowLimit = 3.4028235677973366e38;

/** Mirrors IsValueValidAgainstRange. @returns true if it reported a problem */
function reportIfOutOfRange(value: number | bigint, type: string, format: string, subject: string, path: string, report: Report): boolean {
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const isOutOfRange =
    type === 'integer'
      ? (typeof value === 'number' && !Number.isInteger(value)) || value >= limit || value < -limit
      : format === 'float' && type === 'number' && Math.abs(Number(value)) >= float32OverflowLimit;
  if (!isOutOfRange) return false;
  const formatText = format === '' ? '(default format)' : `with format ${format}`;
  report({ code: 'free', path, message: `${subject} value must be of type ${type} ${formatText} in ${path}` });
  return true;
}

function checkMultiple(value: number | bigint, factor: number, asInteger: boolean, path: string, report: Report): void {
  const divisor = asInteger ? Math.trunc(factor) : factor;
  const printedLimit = asInteger ? printNumber(divisor) : formatFloat(divisor);
  if (divisor <= 0) {
    report({
      code: 'invalid',
      path,
      value: divisor,
      message: `factor MultipleOf declared for ${path} must be positive: ${printedLimit}`,
    });
    return;
  }
  const number = Number(value);
  const isMultiple = asInteger ? isDivisible(value, divisor) : isNearlyWhole(divisor < 1 ? (1 / divisor) * number : number / divisor);
  if (!isMultiple) report({ code: 'invalid', path, value, message: `${path} in body should be a multiple of ${printedLimit}` });
}

const isDivisible = (value: number | bigint, divisor: number): boolean =>
  typeof value === 'bigint' ? value % BigInt(divisor) === 0n : value % divisor === 0;

/** Mirrors IsFloat64AJSONInteger (go-openapi/swag). */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const integerPart = Math.trunc(value);
  if (value === integerPart) return true;
  return integerPart !== 0 && Math.abs(value - integerPart) / (Math.abs(value) + Math.abs(integerPart)) < 1e-9;
}
