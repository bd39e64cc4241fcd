import { describe, expect, it } from 'vitest';
import { findField } from '../../../../src/custom-resources/definition/validate/field-path.ts';
import type { Schema } from '../../../../src/custom-resources/schema/schema.ts';

const leaf: Schema = { type: 'string' };
const schema: Schema = { properties: { a: { properties: { 'b.c': leaf, d: leaf } }, map: { additionalProperties: leaf } } };

describe('findField', () => {
  it('follows fields, and keys in brackets', () => {
    expect(findField('.a.d', schema, true)).toEqual({ steps: ['a', 'd'], schema: leaf });
    expect(findField(".a['b.c']", schema, true)).toEqual({ steps: ['a', 'b.c'], schema: leaf });
    expect(findField('.map.any', schema, true)).toEqual({ steps: ['map', 'any'], schema: leaf });
  });

  it.each([
    ['a', 'expected [ or . but got: a'],
    ['.x', 'does not refer to a valid field'],
    ['.a.d.e', 'does not refer to a valid field'],
    ['.a[', 'unexpected end of JSON path'],
    ['.a[0]', 'expected single quoted string but got 0'],
    [".a['d'", 'unexpected end of JSON path'],
    [".a['d'.", 'expected ] but got .'],
  ])('%s', (path, problem) => {
    expect(findField(path, schema, true)).toEqual({ problem });
  });
});
