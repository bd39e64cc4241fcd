import { expect, test } from 'vitest';
import { ageOf, column, firstFew, since, wideColumn } from '../../../src/resources/table/columns.ts';

const now = new Date('2025-06-15T12:00:00Z');
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-5, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59, '9m59s'],
  [10 * minute + 30, '10m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute, '7h5m'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [7 * day + 3 * hour, '7d3h'],
  [100 * day, '100d'],
  [2 * 365 * day, '2y'],
  [3 * 365 * day + 10 * day, '3y10d'],
  [9 * 365 * day, '9y'],
])('since formats %d seconds', (seconds, shown) => expect(since(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(shown));

test('ageOf an object without creationTimestamp is <unknown>', () => expect(ageOf({}, now)).toBe('<unknown>'));

test('firstFew shows three values and counts the rest', () => {
  expect([firstFew([]), firstFew(['a', 'b', 'c']), firstFew(['a', 'b', 'c', 'd', 'e'])]).toEqual(['', 'a,b,c', 'a,b,c + 2 more...']);
});

test('wideColumn has priority 1', () => {
  expect([column('A').priority, wideColumn('A').priority]).toEqual([0, 1]);
});
