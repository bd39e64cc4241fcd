import { describe, expect, it } from 'vitest';
import { withDefaults, withoutNulls } from '../../../src/custom-resources/objects/defaults.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';

const schema: Schema = {
  properties: {
    a: { type: 'string', default: 'x' },
    nullable: { type: 'string', default: 'y', nullable: true },
    inner: { type: 'object', default: {}, properties: { c: { type: 'integer', default: 3 } } },
    list: { type: 'array', items: { type: 'object', properties: { d: { type: 'string', default: 'z' } } } },
    map: { type: 'object', additionalProperties: { type: 'object', default: { e: 1 } } },
    plain: { type: 'string' },
  },
};

describe('withDefaults', () => {
  it('applies defaults to missing fields, also inside of defaults', () => {
    expect(withDefaults({}, schema)).toEqual({ a: 'x', nullable: 'y', inner: { c: 3 } });
    expect(withDefaults({ list: [{}, { d: 'own' }] }, schema)).toMatchObject({ list: [{ d: 'z' }, { d: 'own' }] });
  });

  it('replaces a null by the default if the field is not nullable', () => {
    expect(withDefaults({ a: null, nullable: null, map: { k: null } }, schema)).toMatchObject({
      a: 'x',
      nullable: null,
      map: { k: { e: 1 } },
    });
    expect(withDefaults([null], { items: { default: 5 } })).toEqual([5]);
  });

  it('returns the same instance if nothing is missing, and never modifies the value', () => {
    const completeValue = { a: '1', nullable: '2', inner: { c: 1 } };
    expect(withDefaults(completeValue, schema)).toBe(completeValue);
    const frozenValue = Object.freeze({ inner: Object.freeze({}) });
    expect(withDefaults(frozenValue, schema)).toMatchObject({ inner: { c: 3 } });
    expect(frozenValue).toEqual({ inner: {} });
  });

  it('copies the default for each object', () => {
    const [first, second] = [withDefaults({}, schema), withDefaults({}, schema)] as { inner: object }[];
    expect(first?.inner).not.toBe(second?.inner);
  });

  it('applies no defaults without a schema', () => {
    expect(withDefaults({ a: null }, undefined)).toEqual({ a: null });
  });
});

describe('withoutNulls', () => {
  it('drops nulls from fields that are neither nullable nor have a default', () => {
    const value = { a: null, nullable: null, plain: null, unknown: null, inner: { c: null } };
    expect(withoutNulls(value, schema)).toEqual({ a: null, nullable: null, unknown: null, inner: { c: null } });
  });

  it('drops nulls within lists and maps', () => {
    const nestedSchema: Schema = { items: { additionalProperties: { type: 'string' } } };
    expect(withoutNulls([{ a: null, b: 'x' }], nestedSchema)).toEqual([{ b: 'x' }]);
    const value = [{ b: 'x' }];
    expect(withoutNulls(value, nestedSchema)).toBe(value);
  });
});
