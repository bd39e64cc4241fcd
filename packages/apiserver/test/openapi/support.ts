/** A schema without descriptions: only string values of "description" are removed, so that fields of that name stay. */
export function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => key !== 'description' || typeof each !== 'string');
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutDescriptions(each)]));
}
