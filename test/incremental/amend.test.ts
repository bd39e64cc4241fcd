import { describe, expect, it } from 'vitest';
import { amend } from '../../src/incremental/amend.ts';

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
