/** Whether two plain values hold the same. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => same((a as Plain)[key], (b as Plain)[key]));
}

type Plain = Readonly<Record<string, unknown>>;
