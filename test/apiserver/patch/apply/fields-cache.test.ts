import { describe, expect, it, vi } from 'vitest';
import { setOf } from '../../../../src/apiserver/patch/apply/field-set.ts';
import { createFieldsCache } from '../../../../src/apiserver/patch/apply/fields-cache.ts';
import { inline } from '../../../../src/apiserver/patch/types/type.ts';

const set = () => setOf(['f:a'], ['f:b', 'f:c']);
const fields = { 'f:a': {}, 'f:b': { 'f:c': {} } };
const whole = inline({ map: { fields: new Map([['b', { type: inline({ map: { fields: new Map(), atomic: true } }) }]]), atomic: false } });

describe('createFieldsCache', () => {
  it('reads what is frozen once, and what may change each time', () => {
    const cache = createFieldsCache();
    const frozen = Object.freeze({ ...fields });
    expect(cache.parse(frozen)).toEqual(set());
    expect(cache.parse(frozen)).toBe(cache.parse(frozen));
    const open: Record<string, object> = { 'f:a': {} };
    expect(cache.parse(open)).toEqual(setOf(['f:a']));
    open['f:d'] = {};
    expect(cache.parse(open)).toEqual(setOf(['f:a'], ['f:d']));
    expect(() => cache.parse('x')).toThrow(SyntaxError);
  });

  it('writes a set once, and knows it again', () => {
    const cache = createFieldsCache();
    const own = set();
    expect(cache.format(own, false)).toEqual(fields);
    expect(cache.format(own, false)).toBe(cache.format(own, false));
    expect(cache.parse(cache.format(own, false))).toBe(own);
  });

  it('brings a set in line with a type once, unless it is final', () => {
    const cache = createFieldsCache();
    const [own, final] = [set(), set()];
    expect(cache.reconcile(own, whole)).toEqual(setOf(['f:a'], ['f:b']));
    expect(cache.reconcile(own, whole)).toBe(cache.reconcile(own, whole));
    expect(cache.reconcile(own, inline({ scalar: 'untyped' }))).toBe(own);
    cache.format(final, true);
    expect(cache.reconcile(final, whole)).toBe(final);
  });

  it('makes something of an entry once, if it is frozen', () => {
    const cache = createFieldsCache();
    const make = vi.fn(() => ({}));
    const [frozen, open] = [Object.freeze({}), {}];
    expect(cache.entry(frozen, make)).toBe(cache.entry(frozen, make));
    expect(make).toHaveBeenCalledTimes(1);
    expect(cache.entry(open, make)).not.toBe(cache.entry(open, make));
  });
});
