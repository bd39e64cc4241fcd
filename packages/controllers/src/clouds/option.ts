/** @throws RangeError that names the option, and says what to give */
export function wholeNumber(option: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new RangeError(`${option} is ${shown}: give a whole number from ${least} on`);
}
