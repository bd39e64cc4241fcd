/** Removes descriptions. Keeps fields that are named "description", because their values are not strings. */
export function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => key !== 'description' || typeof each !== 'string');
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutDescriptions(each)]));
}
