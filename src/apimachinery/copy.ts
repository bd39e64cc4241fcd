/** Copies a value deeply into plain objects and arrays. Undefined fields are dropped; Dates stay Dates. */
export function plainCopy<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return new Date(value) as T;
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, plainCopy(field)])) as T;
}
