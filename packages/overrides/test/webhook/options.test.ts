import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/webhook/options.ts';

test('the limits leave room for what an API server sends, and for several at a time', () => {
  const largestObject = 3 * 1024 * 1024;
  expect(defaultLimits.bodyBytes).toBeGreaterThan(2 * largestObject);
  expect(defaultLimits.buffered).toBeGreaterThan(8 * defaultLimits.bodyBytes);
  // The default of a webhook's timeout in the API is ten seconds.
  expect(defaultLimits.answerMs).toBeLessThan(10_000);
});
