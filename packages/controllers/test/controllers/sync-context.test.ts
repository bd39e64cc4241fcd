import { expect, test } from 'vitest';
import { externalChangeDelayMs } from '../../src/controllers/sync-context.ts';

test('writes of other clients are handled after one second, or after batchPeriod if longer', () => {
  expect([0, 500, 1000, 2500].map((batchPeriod) => externalChangeDelayMs({ batchPeriod }))).toEqual([1000, 1000, 1000, 2500]);
});
