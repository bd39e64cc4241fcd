import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/webhook/options.ts';

test('default limits allow several of the largest reviews at a time', () => {
  const largestObject = 3 * 1024 * 1024;
  expect(defaultLimits.bodyBytes).toBeGreaterThan(2 * largestObject);
  expect(defaultLimits.buffered).toBeGreaterThan(8 * defaultLimits.bodyBytes);
  // The API defaults the timeout of a webhook to ten seconds.
  expect(defaultLimits.answerMs).toBeLessThan(10_000);
});
