import { expect, test } from 'vitest';
import { createFieldSet, pathsOf } from '../../../../src/patch/apply/field-set.ts';
import { reconcile } from '../../../../src/patch/apply/typed/reconcile.ts';
import { deducedType } from '../../../../src/patch/types/type.ts';
import { toy } from '../../support.ts';

test('reconcile replaces fields within an atomic value by the whole value', () => {
  const set = createFieldSet(
    ['f:whole', 'k:{"name":"a"}', 'f:size'],
    ['f:whole', 'k:{"name":"a"}'],
    ['f:nest', 'f:pick', 'f:name'],
    ['f:count'],
  );
  expect(pathsOf(reconcile(set, toy))).toEqual([['f:count'], ['f:whole'], ['f:nest', 'f:pick']]);
});

test('reconcile returns other sets unchanged', () => {
  const set = createFieldSet(
    ['f:whole'],
    ['f:nest', 'f:pick'],
    ['f:labels', 'f:a'],
    ['f:items', 'k:{"name":"a"}', 'f:size'],
    ['f:gone', 'f:x'],
    ['f:any', 'f:x', 'f:y'],
  );
  expect(reconcile(set, toy)).toBe(set);
  expect(reconcile(set, deducedType)).toBe(set);
});
