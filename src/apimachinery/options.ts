/**
 * Returns the value of an option that must be an integer.
 * @throws RangeError that names the option if the value is not an integer of `min` or more
 */
export function requireWholeNumber(option: string, value: unknown, min: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= min) return value as number;
  const valueText = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new RangeError(`${option} is ${valueText}: give a whole number of at least ${min}`);
}
