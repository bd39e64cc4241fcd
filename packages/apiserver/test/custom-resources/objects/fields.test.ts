import { describe, expect, it } from 'vitest';
import { setField, withField } from '../../../src/custom-resources/objects/fields.ts';

describe('setField', () => {
  it('sets a field by any name', () => {
    const target: Record<string, unknown> = {};
    for (const name of ['a', '__proto__', 'constructor']) setField(target, name, { polluted: true });
    expect(Object.keys(target)).toEqual(['a', '__proto__', 'constructor']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('withField', () => {
  it('makes a copy with a field, or without', () => {
    const object = { a: 1, b: 2 };
    expect(withField(object, 'a', 5)).toEqual({ a: 5, b: 2 });
    expect(withField(object, 'a', undefined)).toEqual({ b: 2 });
    expect(object).toEqual({ a: 1, b: 2 });
  });
});
