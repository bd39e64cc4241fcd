import { expect, test } from 'vitest';
import { ageOf, column, formatTimeSince, joinFirst, wideColumn } from '../../../src/resources/table/columns.ts';

const now = new Date('2025-06-15T12:00:00Z');
const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;
const daySeconds = 24 * hourSeconds;

test.each([
  [-5, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minuteSeconds, '2m'],
  [9 * minuteSeconds + 59, '9m59s'],
  [10 * minuteSeconds + 30, '10m'],
  [3 * hourSeconds, '3h'],
  [7 * hourSeconds + 5 * minuteSeconds, '7h5m'],
  [47 * hourSeconds, '47h'],
  [2 * daySeconds, '2d'],
  [7 * daySeconds + 3 * hourSeconds, '7d3h'],
  [100 * daySeconds, '100d'],
  [2 * 365 * daySeconds, '2y'],
  [3 * 365 * daySeconds + 10 * daySeconds, '3y10d'],
  [9 * 365 * daySeconds, '9y'],
])('formatTimeSince formats %d seconds', (seconds, expected) =>
  expect(formatTimeSince(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(expected),
);

test('ageOf an object without creationTimestamp is <unknown>', () => expect(ageOf({}, now)).toBe('<unknown>'));

test('joinFirst shows three values and counts the rest', () => {
  expect([joinFirst([]), joinFirst(['a', 'b', 'c']), joinFirst(['a', 'b', 'c', 'd', 'e'])]).toEqual(['', 'a,b,c', 'a,b,c + 2 more...']);
});

test('wideColumn has priority 1', () => {
  expect([column('A').priority, wideColumn('A').priority]).toEqual([0, 1]);
});
