import { editDistance } from '../apimachinery/index.ts';
import { createLabelMatcher } from '../spec/index.ts';
import type { StringMap } from '../types/index.ts';

/** A pair of a selector that an object does not match. */
export interface LabelDifference {
  readonly key: string;
  readonly wanted: string;
  /** Undefined if the object does not have the label. */
  readonly actual: string | undefined;
}

export interface Nearest<T> {
  readonly object: T;
  readonly differences: readonly LabelDifference[];
}

/**
 * Finds the object that lacks the fewest pairs of a selector, and whose values are the most similar; undefined if no object has any of its
 * keys.
 */
export function findNearest<T>(selector: StringMap, objects: readonly T[], labelsOf: (object: T) => StringMap): Nearest<T> | undefined {
  const pairs = Object.entries(selector);
  const candidates = objects.map((object) => {
    const labels = labelsOf(object);
    const differences = pairs
      .filter(([key, value]) => !createLabelMatcher({ [key]: value })(labels))
      .map(([key, wanted]): LabelDifference => ({ key, wanted, actual: labelValue(labels, key) }));
    const distances = differences.map(({ actual, wanted }) => editDistance(String(actual ?? ''), String(wanted), maxRankedDistance));
    return { object, differences, distance: Math.min(...distances), hasKey: pairs.some(([key]) => labelValue(labels, key) !== undefined) };
  });
  const [best] = candidates
    .filter(({ hasKey }) => hasKey)
    .sort((a, b) => a.differences.length - b.differences.length || a.distance - b.distance);
  return best && { object: best.object, differences: best.differences };
}

/** Whether an object probably is the one that a selector means: it has some of the pairs, or its values differ only in a few letters. */
export const isClose = (selector: StringMap, { differences }: Nearest<unknown>): boolean =>
  differences.length < Object.keys(selector).length ||
  differences.every(({ actual, wanted }) => actual !== undefined && isTypo(actual, wanted));

/** Whether one of two values is probably a mistyped form of the other: "web" of "wbe", "Web" and "webapp", but not of "db". */
function isTypo(a: string, b: string): boolean {
  const [short = '', long = ''] = [a.toLowerCase(), b.toLowerCase()].sort((x, y) => x.length - y.length);
  const maxDistance = 1 + Math.floor(long.length / lettersPerTypo);
  return (
    (short.length >= minPartLength && long.includes(short)) ||
    [...short].sort().join('') === [...long].sort().join('') ||
    editDistance(short, long, maxDistance) <= maxDistance
  );
}

/** A shorter part of a value is a coincidence. */
const minPartLength = 3;

/** A longer value may have more typos. */
const lettersPerTypo = 5;

/** "has app=webapp instead of app=web, lacks tier=front" */
export const describeDifferences = (differences: readonly LabelDifference[]): string =>
  differences
    .map(({ key, wanted, actual }) =>
      actual === undefined ? `lacks ${key}=${wanted}` : `has ${key}=${actual} instead of ${key}=${wanted}`,
    )
    .join(', ');

export const printSelector = (selector: StringMap): string =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Reads a label. A key may have the name of a property that all objects inherit, such as "toString". */
const labelValue = (labels: StringMap, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);

/** Values that differ in more letters count as equally different. */
const maxRankedDistance = 8;
