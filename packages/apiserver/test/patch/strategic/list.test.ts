import { describe, expect, test } from 'vitest';
import { commonKindOf, mergeLists, withoutDuplicates } from '../../../src/patch/strategic/list.ts';
import type { FieldMeta } from '../../../src/patch/strategic/lookup.ts';
import { deducedType } from '../../../src/patch/types/type.ts';
import { catchApiError } from '../refusal.ts';

const keyedField: FieldMeta = { type: deducedType, strategy: 'merge', mergeKey: 'name' };
const keylessField: FieldMeta = { type: deducedType, strategy: 'merge', mergeKey: '' };
const assign = (left: object, right: object) => Object.assign(left, right) as Record<string, unknown>;
const merge = (original: unknown[], patch: unknown[], meta = keyedField, isDeletion = false) =>
  mergeLists(structuredClone(original), structuredClone(patch), meta, isDeletion, assign);

describe('mergeLists of objects', () => {
  test('merges items with equal keys, and puts new items first', () => {
    expect(merge([{ name: 'a', x: 1 }, { name: 'b' }], [{ name: 'c' }, { name: 'a', y: 2 }])).toEqual([
      { name: 'c' },
      { name: 'a', x: 1, y: 2 },
      { name: 'b' },
    ]);
  });

  test('deletes items with $patch: delete', () => {
    expect(merge([{ name: 'a' }, { name: 'b' }, { name: 'a', x: 1 }], [{ name: 'a', $patch: 'delete' }])).toEqual([{ name: 'b' }]);
  });

  test('replaces the list with $patch: replace', () => {
    expect(merge([{ name: 'a' }], [{ $patch: 'replace' }, { name: 'c' }, { name: 'b' }])).toEqual([{ name: 'c' }, { name: 'b' }]);
  });

  test('replaces the list without merge strategy', () => {
    expect(merge([{ name: 'a' }], [{ name: 'b' }], { ...keyedField, strategy: '' })).toEqual([{ name: 'b' }]);
  });

  test.each([
    [[{ x: 1 }], 500, 'map: map[x:1] does not contain declared merge key: name'],
    [[{ $patch: 'delete' }], 500, 'map: map[$patch:delete] does not contain declared merge key: name'],
    [[{ $patch: 'merge' }], 500, 'merging lists cannot yet be specified in the patch'],
    [[{ $patch: 'x' }], 500, 'unknown patch type: x in map: map[$patch:x]'],
    [['x'], 500, 'list element types are not identical: [[map[name:a]] [x]]'],
    [[{ name: {} }], 500, 'This request caused apiserver to panic. Look in the logs for details.'],
  ])('refuses %j', (patch, code, message) => {
    expect(catchApiError(() => merge([{ name: 'a' }], patch))).toMatchObject({ code, message });
  });
});

describe('mergeLists of scalars', () => {
  test('returns the union', () => {
    expect(merge(['a', 'b'], ['c', 'a'], keylessField)).toEqual(['c', 'a', 'b']);
  });

  test('removes deleted items with any strategy', () => {
    expect(merge(['a', 'b', 'a'], ['a'], { ...keylessField, strategy: '' }, true)).toEqual(['b']);
  });

  test('removes duplicates in the order of Go', () => {
    // Go's algorithm: the last item replaces a removed duplicate.
    const removeAsInGo = (list: number[]) => {
      const result = [...list];
      for (let index = 0; index < result.length; index++) {
        for (let laterIndex = index + 1; laterIndex < result.length; laterIndex++) {
          if (result[index] === result[laterIndex]) {
            const last = result.pop() as number;
            if (laterIndex < result.length) {
              result[laterIndex] = last;
            }
            laterIndex -= 1;
          }
        }
      }
      return result;
    };
    for (let seed = 1; seed < 300; seed++) {
      const list = Array.from({ length: seed % 17 }, (_, index) => ((seed * 7919 + index * index * 31) >> 3) % 6);
      expect(withoutDuplicates(list)).toEqual(removeAsInGo(list));
    }
  });
});

test('commonKindOf requires items of one kind, which is neither list nor null', () => {
  expect(commonKindOf([1], [2])).toBe('int64');
  expect(catchApiError(() => commonKindOf([1], [1.5]))).toMatchObject({
    code: 500,
    message: 'list element types are not identical: [[1] [1.5]]',
  });
  expect(catchApiError(() => commonKindOf([[1]]))).toMatchObject({ code: 422 });
  expect(catchApiError(() => commonKindOf([], []))).toMatchObject({ message: 'no elements in any of the given slices' });
  expect(catchApiError(() => commonKindOf([null]))).toMatchObject({ code: 500 });
});
