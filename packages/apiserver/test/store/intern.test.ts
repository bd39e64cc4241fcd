import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { intern, sizeOf, type WriteSize } from '../../src/store/intern.ts';

const emptySize = (): WriteSize => ({ addedBytes: 0, replacedBytes: 0 });
const json = fc.jsonValue({ maxDepth: 4 });
const isFrozen = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

test('intern returns a deeply frozen JSON copy that shares nothing with its origin', () => {
  fc.assert(
    fc.property(json, json, (before, value) => {
      const first = intern(undefined, before, emptySize());
      const copy = intern(first, value, emptySize());
      expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(isFrozen(copy)).toBe(true);
      if (value !== null && typeof value === 'object') expect(copy).not.toBe(value);
    }),
  );
});

test('intern returns the earlier value if it is equal, and counts sizes correctly', () => {
  fc.assert(
    fc.property(json, json, (before, value) => {
      const first = intern(undefined, before, emptySize());
      expect(intern(first, structuredClone(before), emptySize())).toBe(first);
      const sizes = emptySize();
      const copy = intern(first, value, sizes);
      expect(sizeOf(first) + sizes.addedBytes - sizes.replacedBytes).toBe(sizeOf(copy));
    }),
  );
});

test('intern shares unchanged parts with the earlier value', () => {
  const first = intern(undefined, { spec: { ports: [{ port: 80 }] }, status: { phase: 'Pending' } }, emptySize()) as { spec: unknown };
  const next = intern(first, { spec: { ports: [{ port: 80 }] }, status: { phase: 'Running' } }, emptySize()) as { spec: unknown };
  expect(next).not.toBe(first);
  expect(next.spec).toBe(first.spec);
});

describe('intern of values that are not JSON', () => {
  test.each([
    [{ a: undefined, b: 1 }, { b: 1 }],
    [
      [undefined, 1],
      [null, 1],
    ],
    [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [
      { n: Number.NaN, m: Number.POSITIVE_INFINITY },
      { n: null, m: null },
    ],
  ])('converts %j as JSON.stringify does', (value, stored) => expect(intern(undefined, value, emptySize())).toEqual(stored));

  test('keeps BigInts', () => expect(intern({ value: 1n }, { value: 2n }, emptySize())).toEqual({ value: 2n }));

  test.each([[() => 1], [Symbol('s')]])('%s is refused', (value) =>
    expect(() => intern(undefined, { value }, emptySize())).toThrow(new TypeError(`a ${typeof value} cannot be stored`)),
  );
});

test('intern treats names of Object.prototype as ordinary keys', () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":"c","toString":"t"}');
  const first = intern(undefined, hostile, emptySize()) as object;
  expect(JSON.stringify(first)).toBe(JSON.stringify(hostile));
  expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  const empty = intern(undefined, {}, emptySize());
  expect(JSON.stringify(intern(empty, hostile, emptySize()))).toBe(JSON.stringify(hostile));
});
