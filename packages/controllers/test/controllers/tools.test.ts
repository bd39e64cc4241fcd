import { expect, test } from 'vitest';
import { foreignDelay } from '../../src/controllers/tools.ts';

test('foreign writes are handled after one second, or after batchPeriod if longer', () => {
  expect([0, 500, 1000, 2500].map((batchPeriod) => foreignDelay({ batchPeriod }))).toEqual([1000, 1000, 1000, 2500]);
});
