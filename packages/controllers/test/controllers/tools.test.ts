import { expect, test } from 'vitest';
import { foreignDelay } from '../../src/controllers/tools.ts';

test('what others write waits a second, or the batch period where that is longer', () => {
  expect([0, 500, 1000, 2500].map((batchPeriod) => foreignDelay({ batchPeriod }))).toEqual([1000, 1000, 1000, 2500]);
});
