import { formatFloat } from '../../patch/go-format.ts';
import { isInt64 } from '../json-path/parse.ts';
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
  if (multipleOf !== undefined) {
    const asInteger = !reportIfOutOfRange(multipleOf, type, format, 'MultipleOf', path, report) && isInt64(value);
    checkMultiple(value, multipleOf, asInteger, path, report);
  }
  if (maximum !== undefined) {
    const asInteger = !reportIfOutOfRange(maximum, type, format, 'Maximum boundary', path, report) && isInt64(value);
    const limit = asInteger ? toInt64(maximum) : maximum;
    const isExclusive = schema.exclusiveMaximum === true;
    if (value > limit || (isExclusive && isSame(value, limit))) {
      reportBound(value, isExclusive ? 'less than' : 'less than or equal to', limit, asInteger, path, report);
    }
  }
  if (minimum !== undefined) {
    const asInteger = !reportIfOutOfRange(minimum, type, format, 'Minimum boundary', path, report) && isInt64(value);
    const limit = asInteger ? toInt64(minimum) : minimum;
    const isExclusive = schema.exclusiveMinimum === true;
    if (value < limit || (isExclusive && isSame(value, limit))) {
      reportBound(value, isExclusive ? 'greater than' : 'greater than or equal to', limit, asInteger, path, report);
    }
  }
}

/** As Go on amd64, converts a float that does not fit to the smallest integer. */
function toInt64(bound: number): number {
  const integer = Math.trunc(bound);
  return Math.abs(integer) < 2 ** 63 ? integer : -(2 ** 63);
}

/** Whether a number and a BigInt, or two numbers, have the same value. */
const isSame = (value: number | bigint, limit: number): boolean => !(value < limit) && !(value > limit);

function reportBound(value: number | bigint, relation: string, limit: number, asInteger: boolean, path: string, report: Report): void {
  const printedLimit = asInteger ? String(BigInt(limit)) : formatFloat(limit);
  report({ code: 'invalid', path, value, message: `${path} in body should be ${relation} ${printedLimit}` });
}

/** The smallest number that overflows when it is rounded to a 32-bit float. */
export const float32OverflowLimit = 3.4028235677973366e38;

/** Mirrors IsValueValidAgainstRange. The smallest integer of 64 bits is a BigInt, not a number. @returns true if it reported a problem */
function reportIfOutOfRange(value: number | bigint, type: string, format: string, subject: string, path: string, report: Report): boolean {
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const isOutOfRange =
    type === 'integer'
      ? !isInteger(value) || value >= limit || value < -limit || value === -(2 ** 63)
      : format === 'float' && type === 'number' && Math.abs(Number(value)) >= float32OverflowLimit;
  if (!isOutOfRange) return false;
  const formatText = format === '' ? '(default format)' : `with format ${format}`;
  report({ code: 'free', path, message: `${subject} value must be of type ${type} ${formatText} in ${path}` });
  return true;
}

const isInteger = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value);

function checkMultiple(value: number | bigint, factor: number, asInteger: boolean, path: string, report: Report): void {
  const divisor = asInteger ? Math.trunc(factor) : factor;
  const printedLimit = asInteger ? String(BigInt(divisor)) : formatFloat(divisor);
  if (divisor <= 0) {
    report({
      code: 'invalid',
      path,
      value: divisor,
      message: `factor MultipleOf declared for ${path} must be positive: ${printedLimit}`,
    });
    return;
  }
  const isMultiple = asInteger
    ? isDivisible(value, divisor)
    : isNearlyWhole(divisor < 1 ? (1 / divisor) * Number(value) : Number(value) / divisor);
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
