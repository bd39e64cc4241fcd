import { CelFailure } from '../library.ts';

/** What a function may make at most, as the work inside of one is not counted. */
export const mostText: number = 2 ** 20;
export const mostElements = 100_000;
/** How many values a function may look at. */
const mostValues = 1_000_000;

/** @throws CelFailure where a text would be too long */
export function checkText(length: number): void {
  if (length > mostText) throw new CelFailure(`the text would be longer than ${mostText} characters`);
}

/** @throws CelFailure where a list would be too long */
export function checkElements(count: number): void {
  if (count > mostElements) throw new CelFailure(`the list would have more than ${mostElements} elements`);
}

/** Counts values, long ones as several; the count is of one call. */
export function createCount(): (weight?: number) => void {
  let left = mostValues;
  return (weight = 1) => {
    left -= weight;
    if (left < 0) throw new CelFailure(`there are more than ${mostValues} values to look at`);
  };
}
