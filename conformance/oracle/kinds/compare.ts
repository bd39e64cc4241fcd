import type { Difference } from '../conform.ts';
import type { KindAnswer } from './case.ts';
import type { Json } from './generate.ts';

/** Finds the first difference between two answers. Descriptions of columns and the texts of decoding errors are not compared. */
export function firstKindDifference(theirs: KindAnswer, ours: KindAnswer): Difference | undefined {
  // Upstream's printers panic for some invalid objects.
  if (theirs.error?.startsWith('panic')) return undefined;
  return findDifference(toComparable(theirs), toComparable(ours), '');
}

/** Go iterates over maps in random order, so causes are sorted. */
function toComparable({ object, columns, cells, causes, error }: KindAnswer): Json {
  return {
    hasError: error !== undefined,
    object,
    columns: columns?.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
    cells,
    causes: causes?.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort(),
  };
}

function findDifference(theirs: unknown, ours: unknown, path: string): Difference | undefined {
  if (isContainer(theirs) && isContainer(ours) && Array.isArray(theirs) === Array.isArray(ours)) {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const difference = findDifference(theirs[key], ours[key], `${path}.${key}`);
      if (difference) return difference;
    }
    return undefined;
  }
  return theirs === ours || (isEmptyList(theirs) && ours === null) ? undefined : { path, theirs, ours };
}

/** Empty lists are decoded as absent ones. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null;
