import { CelFailure } from '../library.ts';

/** Limits for the result of one function call, because work inside of a function is not metered. */
export const mostText: number = 2 ** 20;
export const mostElements = 100_000;
/** The maximum number of values that one function call may visit. */
const mostValues = 1_000_000;

/** @throws CelFailure if the text would be too long */
export function checkText(length: number): void {
  if (length > mostText) throw new CelFailure(`the text would be longer than ${mostText} characters`);
}

/** @throws CelFailure if the list would be too long */
export function checkElements(count: number): void {
  if (count > mostElements) throw new CelFailure(`the list would have more than ${mostElements} elements`);
}

/** Creates a counter for one call; long values count several times. The counter throws CelFailure beyond the limit. */
export function createCount(): (weight?: number) => void {
  let left = mostValues;
  return (weight = 1) => {
    left -= weight;
    if (left < 0) throw new CelFailure(`there are more than ${mostValues} values to look at`);
  };
}
