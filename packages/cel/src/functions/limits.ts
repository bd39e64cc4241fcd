import { CelFailure } from '../library.ts';

/** Limits for the result of one function call, because the meter does not count work inside a function. */
export const maxTextLength: number = 2 ** 20;
export const maxElements = 100_000;
/** The maximum number of values that one function call may visit. */
const maxVisitedValues = 1_000_000;

/** Call it before a text is built. @throws CelFailure if the text would be too long */
export function checkTextLength(length: number): void {
  if (length > maxTextLength) throw new CelFailure(`the text would be longer than ${maxTextLength} characters`);
}

/** Validates the number of elements of a list or map. @throws CelFailure if there would be too many */
export function checkElementCount(count: number): void {
  if (count > maxElements) throw new CelFailure(`the list would have more than ${maxElements} elements`);
}

/**
 * Creates a counter of the values that one function call visits; a long value counts several times. The counter throws CelFailure beyond
 * the limit.
 */
export function createVisitCounter(): (weight?: number) => void {
  let remaining = maxVisitedValues;
  return (weight = 1) => {
    remaining -= weight;
    if (remaining < 0) throw new CelFailure(`the function would visit more than ${maxVisitedValues} values`);
  };
}
