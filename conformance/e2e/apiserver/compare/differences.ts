/** A field in which two answers differ. What is not there is undefined. */
export interface Difference {
  /** As in "body.metadata.labels.app" or "header.warning". */
  readonly field: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/** Where two values differ, as far down as both are objects or lists. The order of an object's keys makes no difference. */
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

/** How many values are in a value: what a comparison without differences has looked at. */
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
