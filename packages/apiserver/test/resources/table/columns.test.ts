import { expect, test } from 'vitest';
import { column, firstFew, wideColumn } from '../../../src/resources/table/columns.ts';

test('counts what is left out', () => {
  expect([firstFew([]), firstFew(['a', 'b', 'c']), firstFew(['a', 'b', 'c', 'd', 'e'])]).toEqual(['', 'a,b,c', 'a,b,c + 2 more...']);
});

test('columns of -o wide are of priority 1', () => {
  expect([column('A').priority, wideColumn('A').priority]).toEqual([0, 1]);
});
