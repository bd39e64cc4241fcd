import { editDistance } from '../apimachinery/index.ts';
import type { StringMap } from '../types/index.ts';

/** A pair of a selector that an object does not match. */
export interface LabelDifference {
  readonly key: string;
  readonly wanted: string;
  /** Undefined if the object does not have the label. */
  readonly actual: string | undefined;
  /** Another key of the object that has the wanted value, if the object does not have the label. */
  readonly otherKey: string | undefined;
}

export interface Nearest<T> {
  readonly object: T;
  readonly differences: readonly LabelDifference[];
  /** How much the most similar value differs, in letters. */
  readonly distance: number;
}

/**
 * Finds the object that lacks the fewest pairs of a selector, and whose values are the most similar; undefined if no object has any of its
 * keys, or one of its values under another key.
 */
export function findNearest<T>(selector: StringMap, objects: readonly T[], labelsOf: (object: T) => StringMap): Nearest<T> | undefined {
  const pairs = Object.entries(selector).map(([key, value]): [string, string] => [key, textOf(value)]);
  let best: Nearest<T> | undefined;
  for (const object of objects) {
    const labels = labelsOf(object);
    const differences = findDifferences(pairs, labels);
    const isRelated = differences.length < pairs.length || differences.some(({ actual, otherKey }) => actual ?? otherKey);
    if (!isRelated || (best && best.differences.length < differences.length)) continue;
    const distances = differences.map(({ actual, otherKey, wanted }) =>
      otherKey === undefined ? editDistance(actual ?? '', wanted, maxRankedDistance) : 0,
    );
    const distance = Math.min(...distances);
    if (!best || differences.length < best.differences.length || distance < best.distance) best = { object, differences, distance };
  }
  return best;
}

function findDifferences(pairs: readonly [string, string][], labels: StringMap): LabelDifference[] {
  return pairs
    .filter(([key, value]) => labelValue(labels, key) !== value)
    .map(([key, wanted]) => {
      const actual = labelValue(labels, key);
      const otherKey =
        actual === undefined ? Object.keys(labels).find((each) => labels[each] === wanted && isRelatedKey(each, key)) : undefined;
      return { key, wanted, actual, otherKey };
    });
}

/** "app" and "app.kubernetes.io/name" often have the same value; other keys are related if they are similar. */
const isRelatedKey = (a: string, b: string): boolean => isTypo(a, b) || [a, b].every((key) => nameKeys.includes(key));

const nameKeys: readonly string[] = ['app', 'name', 'k8s-app', 'component', 'app.kubernetes.io/name', 'app.kubernetes.io/component'];

/** Whether an object probably is the one that a selector means: it has some of the pairs, or differs from them only in a few letters. */
export const isClose = (selector: StringMap, nearest: Nearest<unknown>): boolean =>
  nearest.differences.length < Object.keys(selector).length || isMistyped(nearest);

/** Whether all differences are probably typos. */
export const isMistyped = ({ differences }: Nearest<unknown>): boolean =>
  differences.every(({ actual, otherKey, wanted }) => otherKey !== undefined || (actual !== undefined && isTypo(actual, wanted)));

/** Whether one of two values is probably a mistyped form of the other: "web" of "wbe", "Web" and "webapp", but not of "db". */
export function isTypo(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b].map((text) => String(text).toLowerCase()).sort((x, y) => x.length - y.length);
  const maxDistance = 1 + Math.floor(long.length / lettersPerTypo);
  return (
    isExtended(short, long) ||
    [...short].sort().join('') === [...long].sort().join('') ||
    editDistance(short, long, maxDistance) <= maxDistance
  );
}

/** "webapp", "web-app" and "my-web" extend "web"; "webhook" does not. */
function isExtended(short: string, long: string): boolean {
  const isStart = long.startsWith(short);
  if (short.length < minPartLength || !(isStart || long.endsWith(short))) return false;
  const rest = isStart ? long.slice(short.length) : long.slice(0, -short.length);
  return rest.length <= maxExtraLetters || (isStart ? /^[^a-z]/ : /[^a-z]$/).test(rest);
}

const minPartLength = 3;
const maxExtraLetters = 3;

/** A longer value may have more typos. */
const lettersPerTypo = 5;

/** "has app=webapp instead of app=web, lacks tier=front" */
export const describeDifferences = (differences: readonly LabelDifference[]): string =>
  differences
    .map(({ key, wanted, actual, otherKey }) =>
      actual === undefined && otherKey === undefined
        ? `lacks ${key}=${wanted}`
        : `has ${otherKey === undefined ? `${key}=${actual}` : `${otherKey}=${wanted}`} instead of ${key}=${wanted}`,
    )
    .join(', ');

export const printSelector = (selector: StringMap): string =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Reads a label. A key may have the name of a property that all objects inherit, such as "toString". */
const labelValue = (labels: StringMap, key: string): string | undefined => (Object.hasOwn(labels, key) ? textOf(labels[key]) : undefined);

/** Decodes a value as upstream, which takes null for an empty text. */
const textOf = (value: string | null | undefined): string => String(value ?? '');

/** Values that differ in more letters count as equally different. */
const maxRankedDistance = 8;
