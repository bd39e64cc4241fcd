import { describe, expect, test } from 'vitest';
import {
  assertNoProblems,
  createProblems,
  findScalarProblems,
  TypeProblems,
  validate,
  withPrefix,
} from '../../../../src/patch/apply/typed/validate.ts';
import { toy } from '../../support.ts';

const problemText = (value: unknown, allowDuplicates = false): string => {
  try {
    validate(value, toy, allowDuplicates);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('validate accepts a value that fits its type', () => {
  const items = [{ name: 'a', inner: [{ key: 'k' }] }, { name: 'a', kind: 'b' }, { kind: 'c' }];
  expect(problemText({ count: 1, items, labels: { a: 'b' }, tags: ['a'], nest: null, any: { x: [1] }, when: 5 })).toBe('');
});

describe('validate reports a value that does not fit', () => {
  test.each([
    [{ bogus: 1 }, '.bogus: field not declared in schema'],
    [{ count: 'x' }, '.count: expected numeric (int or float), got string'],
    [{ kind: 5 }, '.kind: expected string, got &value.valueUnstructured{Value:5}'],
    [{ flag: 'x' }, '.flag: expected boolean, got &{x}'],
    [{ when: { a: 1 } }, '.when: expected any scalar, got &{map[a:1]}'],
    [{ labels: ['a'] }, '.labels: expected map, got &{[a]}'],
    [{ whole: {} }, '.whole: expected list, got &{map[]}'],
    [{ whole: [{ size: 'x' }] }, '.whole[0].size: expected numeric (int or float), got string'],
    [{ items: ['x'] }, '.items: element 0: associative list with keys may not have non-map elements'],
    [{ items: [null] }, '.items: element 0: associative list with keys may not have a null element'],
    [{ tags: [{}] }, ".tags: element 0: associative list without keys has an element that's a map type"],
    [{ tags: [[]] }, '.tags: element 0: not supported: associative list with lists as elements'],
    [{ tags: [null] }, ".tags: element 0: associative list without keys has an element that's an explicit null"],
    [{ tags: ['a', 'a'] }, '.tags: duplicate entries for key [="a"]'],
    [{ items: [{ name: 'a' }, { name: 'a' }] }, '.items: duplicate entries for key [kind="plain",name="a"]'],
    [
      { items: [{ inner: [{}] }] },
      '.items[kind="plain",name=0].inner: element 0: associative list with keys has an element that omits all key fields ["key"]' +
        " (and doesn't have default values for any key fields)",
    ],
    [{ count: 'x', flag: 1 }, 'errors:\n  .count: expected numeric (int or float), got string\n  .flag: expected boolean, got &{1}'],
  ])('%j', (value, message) => {
    expect(problemText(value)).toBe(message);
  });
});

test('validate can allow duplicates', () => {
  expect(problemText({ tags: ['a', 'a'], items: [{ name: 'a' }, { name: 'a' }] }, true)).toBe('');
});

test('findScalarProblems accepts null and undefined, and adds a prefix to its messages', () => {
  expect(findScalarProblems('numeric', null)).toEqual([]);
  expect(findScalarProblems('boolean', undefined)).toEqual([]);
  expect(findScalarProblems('string', 1, 'lhs: ')[0]?.message).toContain('lhs: expected string');
});

test('TypeProblems lists problems with their paths', () => {
  expect(() => assertNoProblems([])).not.toThrow();
  expect(new TypeProblems(withPrefix(createProblems('no'), '.a')).message).toBe('.a: no');
  expect(new TypeProblems([...createProblems('no'), ...withPrefix(withPrefix(createProblems('never'), '.b'), '.a')]).message).toBe(
    'errors:\n  no\n  .a.b: never',
  );
});
