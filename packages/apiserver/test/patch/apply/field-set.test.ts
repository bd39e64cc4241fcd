import { describe, expect, test } from 'vitest';
import * as sets from '../../../src/patch/apply/field-set.ts';
import { createFieldElement, formatPath } from '../../../src/patch/apply/path-element.ts';
import { toy } from '../support.ts';

const fieldSet = (...paths: string[]) => sets.createFieldSet(...paths.map((path) => path.split('.').map(createFieldElement)));
const formatPaths = (set: sets.FieldSet) => sets.pathsOf(set).map((path) => formatPath(path).slice(1));

test('createFieldSet creates a set of the given paths', () => {
  const set = fieldSet('b', 'a.b', 'a.a.c', 'a');
  expect(formatPaths(set)).toEqual(['a', 'b', 'a.b', 'a.a.c']);
  expect(sets.hasPath(set, ['f:a', 'f:b'])).toBe(true);
  expect(sets.hasPath(set, ['f:a', 'f:a'])).toBe(false);
  expect(sets.hasPath(set, [])).toBe(false);
  expect(sets.isEmpty(sets.createFieldSet([]))).toBe(true);
  expect(sets.isEmpty(sets.childSet(set, 'f:b'))).toBe(true);
});

describe('set operations', () => {
  const left = fieldSet('a', 'a.b', 'a.c', 'd.e');
  const right = fieldSet('a', 'a.c', 'd', 'x.y');

  test('union contains the paths of both sets', () =>
    expect(formatPaths(sets.union(left, right))).toEqual(['a', 'd', 'a.b', 'a.c', 'd.e', 'x.y']));
  test('intersection contains the common paths', () => expect(formatPaths(sets.intersection(left, right))).toEqual(['a', 'a.c']));
  test('difference keeps children of removed paths', () => expect(formatPaths(sets.difference(left, right))).toEqual(['a.b', 'd.e']));
  test('recursiveDifference removes children of removed paths', () =>
    expect(formatPaths(sets.recursiveDifference(left, right))).toEqual([]));
  test('recursiveDifference keeps parents of removed paths', () =>
    expect(formatPaths(sets.recursiveDifference(left, fieldSet('a.c', 'd')))).toEqual(['a', 'a.b']));

  test('leave no empty child sets', () => {
    expect(sets.difference(fieldSet('a.b.c'), fieldSet('a.b.c')).children.size).toBe(0);
    expect(sets.intersection(fieldSet('a.b'), fieldSet('a.c')).children.size).toBe(0);
  });
});

test('withNamedFields adds struct fields as members, but not map keys', () => {
  const set = sets.createFieldSet(
    ['f:nest', 'f:deep', 'f:left'],
    ['f:labels', 'f:a'],
    ['f:items', 'k:{"name":"x"}', 'f:inner', 'k:{"key":"y"}'],
  );
  expect(formatPaths(sets.withNamedFields(set, toy))).toEqual([
    'items',
    'labels',
    'nest',
    'items[name="x"].inner',
    'items[name="x"].inner[key="y"]',
    'labels.a',
    'nest.deep',
    'nest.deep.left',
  ]);
});

test('sortElements orders elements', () => {
  expect(sets.sortElements(['v:1', 'f:b', 'f:a'])).toEqual(['f:a', 'f:b', 'v:1']);
});
