/** A field in which two answers differ. Absent fields are undefined. */
export interface Difference {
  /** For example "body.metadata.labels.app" or "header.warning". */
  readonly field: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/** The differences between two values, as deep as both are objects or lists. Key order is ignored. */
export function differencesOf(real: unknown, ours: unknown, field = ''): Difference[] {
  if (isObject(real) && isObject(ours)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differencesOf(own(real, key), own(ours, key), field === '' ? key : `${field}.${key}`));
  }
  if (Array.isArray(real) && Array.isArray(ours)) {
    const length = Math.max(real.length, ours.length);
    return Array.from({ length }, (_, n) => n).flatMap((n) => differencesOf(real[n], ours[n], `${field}[${n}]`));
  }
  return Object.is(real, ours) ? [] : [{ field, real, ours }];
}

/** The number of leaf values: how much a comparison without differences has compared. */
export function fieldsIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + fieldsIn(item), 0);
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
