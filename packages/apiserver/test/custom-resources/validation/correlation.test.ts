import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { type Correlation, isUnchanged, itemIn, propertyIn } from '../../../src/custom-resources/validation/correlation.ts';

const pair: Schema = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } };
const map: Schema = { type: 'array', items: pair, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const between = (value: unknown, old: unknown, schema: Schema): Correlation => ({ value, old, schema });

describe('propertyIn', () => {
  it('finds the old value of the same field', () => {
    const correlation = between({ k: 'new', other: 1 }, { k: 'old' }, pair);
    expect(propertyIn(correlation, 'k')).toEqual({ value: 'new', old: 'old', schema: { type: 'string' } });
    expect(propertyIn(correlation, 'v')).toBeUndefined();
    expect(propertyIn(correlation, 'other')).toBeUndefined();
    expect(propertyIn(between('x', { k: 1 }, pair), 'k')).toBeUndefined();
  });

  it('finds the old value of additional properties', () => {
    const schema: Schema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(propertyIn(between({ a: 1 }, { a: 2 }, schema), 'a')?.old).toBe(2);
  });
});

describe('itemIn', () => {
  it('finds the first old item with the same key', () => {
    const correlation = between([{ k: 'b', v: 9 }, { k: 'c' }, 'x'], [{ k: 'a' }, { k: 'b', v: 1 }, { k: 'b', v: 2 }, 5], map);
    expect(itemIn(correlation, 0)?.old).toEqual({ k: 'b', v: 1 });
    expect(itemIn(correlation, 1)).toBeUndefined();
    expect(itemIn(correlation, 2)).toBeUndefined();
  });

  it('is undefined for lists without keys', () => {
    expect(itemIn(between([1], [1], { type: 'array', items: { type: 'integer' } }), 0)).toBeUndefined();
    expect(itemIn(between([{ k: 'a' }], 'x', map), 0)).toBeUndefined();
  });
});

describe('isUnchanged', () => {
  it.each([
    [1, 1, {}, true],
    [1, 2, {}, false],
    [[1, 2], [1, 2], { type: 'array' }, true],
    [[1, 2], [2, 1], { type: 'array' }, false],
    [[1], [1, 2], { type: 'array' }, false],
    [[{ k: 'a' }, { k: 'b' }], [{ k: 'b' }, { k: 'a' }], map, true],
    [[{ k: 'a', v: 1 }], [{ k: 'a', v: 2 }], map, false],
    [{ k: 'a', v: 1 }, { v: 1, k: 'a' }, pair, true],
    [{ k: 'a' }, { k: 'a', v: 1 }, pair, false],
    [{ unknown: 1 }, { unknown: 1 }, pair, false],
    [{}, [], pair, false],
  ] as const)('compares %j with the old value %j', (value, old, schema, unchanged) => {
    expect(isUnchanged(between(value, old, schema as Schema))).toBe(unchanged);
  });
});
