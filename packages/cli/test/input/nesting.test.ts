import { describe, expect, test } from 'vitest';
import { findTooDeepOffset, isNestedDeeper } from '../../src/input/nesting.ts';

describe('the nesting limit', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [{ a: nested(depth - 1) }]);

  test('applies to values', () => {
    expect(isNestedDeeper(nested(3), 6)).toBe(false);
    expect(isNestedDeeper(nested(3), 5)).toBe(true);
    const cyclic: Record<string, unknown> = {};
    cyclic['again'] = [cyclic, cyclic];
    expect(isNestedDeeper(cyclic, 100)).toBe(true);
  });

  test('applies to JSON text, ignoring brackets in strings', () => {
    expect(findTooDeepOffset('[[[]]]', 3)).toBe(undefined);
    expect(findTooDeepOffset('[[[]]]', 2)).toBe(2);
    expect(findTooDeepOffset('["[[[\\"[[", "\\\\", []]', 2)).toBe(undefined);
    expect(findTooDeepOffset('["[[', 1)).toBe(undefined);
  });
});
