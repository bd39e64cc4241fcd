import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { type Correlation, correlateItem, correlateProperty, isUnchanged } from '../../../src/custom-resources/validation/correlation.ts';

const pair: Schema = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } };
const map: Schema = { type: 'array', items: pair, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const correlate = (value: unknown, old: unknown, schema: Schema): Correlation => ({ value, old, schema });

describe('correlateProperty', () => {
  it('finds the old value of the same field', () => {
    const correlation = correlate({ k: 'new', other: 1 }, { k: 'old' }, pair);
    expect(correlateProperty(correlation, 'k')).toEqual({ value: 'new', old: 'old', schema: { type: 'string' } });
    expect(correlateProperty(correlation, 'v')).toBeUndefined();
    expect(correlateProperty(correlation, 'other')).toBeUndefined();
    expect(correlateProperty(correlate('x', { k: 1 }, pair), 'k')).toBeUndefined();
  });

  it('finds the old value of additional properties', () => {
    const schema: Schema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(correlateProperty(correlate({ a: 1 }, { a: 2 }, schema), 'a')?.old).toBe(2);
  });
});

describe('correlateItem', () => {
  it('finds the first old item with the same key', () => {
    const correlation = correlate([{ k: 'b', v: 9 }, { k: 'c' }, 'x'], [{ k: 'a' }, { k: 'b', v: 1 }, { k: 'b', v: 2 }, 5], map);
    expect(correlateItem(correlation, 0)?.old).toEqual({ k: 'b', v: 1 });
    expect(correlateItem(correlation, 1)).toBeUndefined();
    expect(correlateItem(correlation, 2)).toBeUndefined();
  });

  it('returns undefined for lists without keys', () => {
    expect(correlateItem(correlate([1], [1], { type: 'array', items: { type: 'integer' } }), 0)).toBeUndefined();
    expect(correlateItem(correlate([{ k: 'a' }], 'x', map), 0)).toBeUndefined();
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
    expect(isUnchanged(correlate(value, old, schema as Schema))).toBe(unchanged);
  });
});
