import { sizeOf } from './bounded.ts';

/** A value as expressions see it: objects are Maps, so that no key has a meaning of its own; whole numbers are CEL's int. */
export interface CelValues {
  /** The value, and what is in it counted, so that comparing it can be charged. */
  convert(value: unknown): unknown;
  /** How many values are in what was converted here; what the expression made itself is counted by its elements. */
  weigh(value: unknown): number;
}

export function createCelValues(): CelValues {
  const weights = new WeakMap<object, number>();
  let count = 0;
  const convert = (value: unknown, depth: number): unknown => {
    count++;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth > maxDepth) return null;
    const before = count;
    const converted = Array.isArray(value)
      ? value.map((each) => convert(each, depth + 1))
      : mapOf(value, (each) => convert(each, depth + 1));
    weights.set(converted, count - before + 1);
    return converted;
  };
  return {
    convert: (value) => convert(value, 0),
    weigh: (value) => (typeof value === 'object' && value !== null ? (weights.get(value) ?? sizeOf(value)) : sizeOf(value)),
  };
}

const maxDepth = 50;

function mapOf(value: object, convert: (value: unknown) => unknown): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined && typeof each !== 'function') map.set(key, convert(each));
  }
  return map;
}
