import fastDeepEqual from 'fast-deep-equal';

/** Whether two JSON-shaped values are equal. A field that is present and undefined differs from an absent one. */
export const deepEqual = (a: unknown, b: unknown): boolean => fastDeepEqual(a, b);

/**
 * Whether two JSON-shaped values are semantically equal in Kubernetes: absent, null, empty lists, empty maps and maps of such values are
 * equal. Scalars are compared by value, so zero does not equal an absent field: for upstream, that depends on the type of the field, which
 * is unknown here.
 *
 * Mirrors equality.Semantic.DeepEqual (apimachinery/pkg/api/equality), for which nil and empty slices and maps are equal.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => semanticEqual(each, b[i]));
  }
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  const [left, right] = [a as Fields, b as Fields];
  return (
    Object.keys(left).every((key) => semanticEqual(left[key], fieldOf(right, key))) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || isEmpty(right[key]))
  );
}

type Fields = Readonly<Record<string, unknown>>;

const fieldOf = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
