import { CelFailure } from '../library.ts';

/** Limits for the result of one function call, because the meter does not count work inside a function. */
export const maxTextLength: number = 2 ** 20;
export const maxElements = 100_000;
/** The maximum number of values that one function call may visit. */
const maxVisitedValues = 1_000_000;

/** @throws CelFailure if the text would be too long */
export function checkText(length: number): void {
  if (length > maxTextLength) throw new CelFailure(`the text would be longer than ${maxTextLength} characters`);
}

/** @throws CelFailure if the list would be too long */
export function checkElements(count: number): void {
  if (count > maxElements) throw new CelFailure(`the list would have more than ${maxElements} elements`);
}

/** Creates a counter for one call; long values count several times. The counter throws CelFailure beyond the limit. */
export function createCounter(): (weight?: number) => void {
  let remaining = maxVisitedValues;
  return (weight = 1) => {
    remaining -= weight;
    if (remaining < 0) throw new CelFailure(`the function would visit more than ${maxVisitedValues} values`);
  };
}
