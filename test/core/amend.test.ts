import { describe, expect, it } from 'vitest';
import { amend, plainCopy } from '../../src/core/amend.ts';

describe('amend', () => {
  it('changes only what the recipe sets', () => {
    const object = { a: { b: [1, { c: 2 }] }, d: 'e' };
    const amended = amend(object, (draft) => {
      draft.d = 'f';
    });
    expect(amended).toEqual({ a: { b: [1, { c: 2 }] }, d: 'f' });
    expect(object).toEqual({ a: { b: [1, { c: 2 }] }, d: 'e' });
  });

  it('shares nothing with the original, freezes neither, and takes a frozen one', () => {
    const object = { a: { b: [{ c: 2 }] }, d: 'e' };
    const unchanged = amend(object, () => undefined);
    expect(unchanged).toEqual(object);
    expect(unchanged).not.toBe(object);
    expect(unchanged.a.b[0]).not.toBe(object.a.b[0]);
    for (const each of [object, object.a, object.a.b, unchanged, unchanged.a, unchanged.a.b[0]]) expect(Object.isFrozen(each)).toBe(false);
    const frozen: { a: { b: number } } = Object.freeze({ a: Object.freeze({ b: 1 }) });
    const thawed = amend(frozen, (draft) => {
      draft.a.b = 2;
    });
    thawed.a.b = 3;
    expect([thawed, frozen]).toEqual([{ a: { b: 3 } }, { a: { b: 1 } }]);
  });
});

describe('plainCopy', () => {
  it('copies instances of classes as plain objects, without what is undefined', () => {
    class Meta {
      name = 'a';
      absent = undefined;
      none = null;
    }
    const copy = plainCopy({ metadata: new Meta() });
    expect(Object.getPrototypeOf(copy.metadata)).toBe(Object.prototype);
    expect(Object.keys(copy.metadata)).toEqual(['name', 'none']);
  });

  it('keeps Dates, as copies', () => {
    const date = new Date(5);
    const copy = plainCopy({ at: [date] });
    expect(copy).toEqual({ at: [new Date(5)] });
    expect(copy.at[0]).not.toBe(date);
  });

  it.each(['text', 5, true, null, undefined])('keeps %j', (value) => {
    expect(plainCopy(value)).toBe(value);
  });

  it('keeps __proto__ as a key', () => {
    const labels = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    expect(JSON.stringify(plainCopy({ labels }))).toBe('{"labels":{"__proto__":"x"}}');
  });
});
