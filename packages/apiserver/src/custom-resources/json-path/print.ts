import { isFields } from '../../resources/field/read.ts';

/** A value as Go's `%v` prints it. */
export function printPlain(value: unknown): string {
  if (typeof value === 'number') return printNumber(value);
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printPlain).join(' ')}]`;
  if (!isFields(value)) return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${printPlain(value[key])}`);
  return `map[${entries.join(' ')}]`;
}

/** A number of JSON as Go prints it: what fits into 64 bits is a whole number there, all others are floats. */
export const printNumber = (value: number): string => (isWhole(value) ? BigInt(value).toString() : printFloat(value));

/** A float as Go prints it: with an exponent where that is not small. */
export function printFloat(value: number): string {
  const text = value.toExponential();
  const exponent = Number(text.slice(text.indexOf('e') + 1));
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value);
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}

/** Whether Go decodes a number as an int64. JSON's 1.0 is one here, too: JavaScript cannot tell. */
export const isWhole = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 63;
