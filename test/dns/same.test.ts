import { expect, it } from 'vitest';
import { same } from '../../src/dns/same.ts';

it('compares what values hold', () => {
  expect(same({ a: [1, { b: 'x' }], c: undefined }, { a: [1, { b: 'x' }], c: undefined })).toBe(true);
  expect(same(undefined, undefined)).toBe(true);
  for (const [a, b] of [
    [1, 2],
    [undefined, {}],
    [null, {}],
    [{}, 'x'],
    [[1], [1, 2]],
    [{ a: 1 }, { b: 1 }],
    [{ a: [1] }, { a: [2] }],
  ]) {
    expect(same(a, b), JSON.stringify([a, b])).toBe(false);
  }
});
