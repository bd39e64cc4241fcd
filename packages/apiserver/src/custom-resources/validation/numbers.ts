import { isWhole, printFloat, printNumber } from '../json-path/parse.ts';
import type { Schema } from '../schema/schema.ts';
import type { Problem } from './problem.ts';

type Report = (problem: Problem) => void;

/**
 * Checks a number. Mirrors numberValidator (kube-openapi/pkg/validation/validate, as of Kubernetes 1.36), which truncates fractional bounds
 * when it checks integers.
 */
export function checkNumber(schema: Schema, types: readonly string[], format: string, value: number, path: string, report: Report): void {
  const type = types.length === 1 ? (types[0] as string) : '';
  outOfRange(value, type, format, 'Checked', path, report);
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined) {
    const asWhole = !outOfRange(multipleOf, type, format, 'MultipleOf', path, report) && isWhole(value);
    checkMultiple(value, multipleOf, asWhole, path, report);
  }
  if (maximum !== undefined) {
    const asWhole = !outOfRange(maximum, type, format, 'Maximum boundary', path, report) && isWhole(value);
    const limit = asWhole ? Math.trunc(maximum) : maximum;
    const exclusive = schema.exclusiveMaximum === true;
    if (value > limit || (exclusive && value === limit)) {
      exceeds(value, exclusive ? 'less than' : 'less than or equal to', limit, asWhole, path, report);
    }
  }
  if (minimum !== undefined) {
    const asWhole = !outOfRange(minimum, type, format, 'Minimum boundary', path, report) && isWhole(value);
    const limit = asWhole ? Math.trunc(minimum) : minimum;
    const exclusive = schema.exclusiveMinimum === true;
    if (value < limit || (exclusive && value === limit)) {
      exceeds(value, exclusive ? 'greater than' : 'greater than or equal to', limit, asWhole, path, report);
    }
  }
}

function exceeds(value: number, how: string, limit: number, asWhole: boolean, path: string, report: Report): void {
  const shown = asWhole ? printNumber(limit) : printFloat(limit);
  report({ code: 'invalid', name: path, value, message: `${path} in body should be ${how} ${shown}` });
}

/** Numbers from here on exceed a 32-bit float when rounded. */
export const maxFloat = 3.4028235677973366e38;

/** Mirrors IsValueValidAgainstRange. */
function outOfRange(value: number, type: string, format: string, what: string, path: string, report: Report): boolean {
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const isOutOfRange =
    type === 'integer'
      ? !Number.isInteger(value) || value >= limit || value < -limit
      : format === 'float' && type === 'number' && Math.abs(value) >= maxFloat;
  if (!isOutOfRange) return false;
  const form = format === '' ? '(default format)' : `with format ${format}`;
  report({ code: 'free', name: path, message: `${what} value must be of type ${type} ${form} in ${path}` });
  return true;
}

function checkMultiple(value: number, factor: number, asWhole: boolean, path: string, report: Report): void {
  const by = asWhole ? Math.trunc(factor) : factor;
  const shown = asWhole ? printNumber(by) : printFloat(by);
  if (by <= 0) {
    report({ code: 'invalid', name: path, value: by, message: `factor MultipleOf declared for ${path} must be positive: ${shown}` });
    return;
  }
  const fits = asWhole ? value % by === 0 : isNearlyWhole(by < 1 ? (1 / by) * value : value / by);
  if (!fits) report({ code: 'invalid', name: path, value, message: `${path} in body should be a multiple of ${shown}` });
}

/** Mirrors IsFloat64AJSONInteger (go-openapi/swag). */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  return whole !== 0 && Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
