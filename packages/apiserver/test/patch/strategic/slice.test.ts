import { expect, test } from 'vitest';
import { append, createSlice, items, removeOneByOne, toComparable } from '../../../src/patch/strategic/slice.ts';
import { catchApiError } from '../refusal.ts';

test('removeOneByOne shifts items and leaves copies of the last items in memory, as Go does', () => {
  const memory = ['a', 'b', 'c', 'd'];
  const slice = createSlice(memory);
  removeOneByOne(slice, [2, 0]);
  expect(items(slice)).toEqual(['b', 'd']);
  expect(memory).toEqual(['b', 'd', 'd', 'd']);
});

test('removeOneByOne leaves the same memory as single removals', () => {
  for (const positions of [[0], [3], [3, 2], [2, 3], [0, 3, 1], [3, 0, 2, 1], []]) {
    const memory = ['a', 'b', 'c', 'd'];
    const expected = [...memory];
    let length = 4;
    for (const position of positions) {
      const index = expected.indexOf(['a', 'b', 'c', 'd'][position] as string);
      expected.copyWithin(index, index + 1, length);
      length -= 1;
    }
    removeOneByOne(createSlice(memory), positions);
    expect(memory).toEqual(expected);
  }
});

test('append writes to shared memory while there is capacity', () => {
  const memory = ['a', 'b'];
  const slice = createSlice(memory);
  removeOneByOne(slice, [0]);
  append(slice, 'x');
  append(slice, 'y');
  append(slice, 'z');
  expect(items(slice)).toEqual(['b', 'x', 'y', 'z']);
  expect(memory).toEqual(['b', 'x']);
});

test('toComparable refuses lists, and converts undefined to null', () => {
  expect(toComparable(undefined)).toBe(null);
  expect(toComparable('a')).toBe('a');
  expect(catchApiError(() => toComparable([])).code).toBe(500);
});
