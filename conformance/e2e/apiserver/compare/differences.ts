/** A field in which two answers differ. Absent fields are undefined. */
export interface Difference {
  /** For example "body.metadata.labels.app" or "header.warning". */
  readonly field: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/** Compares two values recursively. Ignores the order of keys. */
export function findDifferences(real: unknown, ours: unknown, field = ''): Difference[] {
  if (isObject(real) && isObject(ours)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => findDifferences(ownValue(real, key), ownValue(ours, key), field === '' ? key : `${field}.${key}`));
  }
  if (Array.isArray(real) && Array.isArray(ours)) {
    const length = Math.max(real.length, ours.length);
    return Array.from({ length }, (_, n) => n).flatMap((n) => findDifferences(real[n], ours[n], `${field}[${n}]`));
  }
  return Object.is(real, ours) ? [] : [{ field, real, ours }];
}

/** Counts the leaf values of an answer. The report shows the sum, because a comparison of few fields proves little. */
export function countFields(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countFields(item), 0);
}

function ownValue(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
