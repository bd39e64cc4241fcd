import { describe, expect, it } from 'vitest';
import { isDeeper } from '../../src/custom-resources/depth.ts';
import { nested } from './support.ts';

describe('isDeeper', () => {
  it('counts objects and lists', () => {
    expect(isDeeper('x', 0)).toBe(false);
    expect(isDeeper({}, 0)).toBe(true);
    expect(isDeeper({ a: [{ b: null }] }, 3)).toBe(false);
    expect(isDeeper({ a: [{ b: null }] }, 2)).toBe(true);
  });

  it('looks no deeper than it has to', () => {
    expect(isDeeper(nested(100_000), 1000)).toBe(true);
  });
});
