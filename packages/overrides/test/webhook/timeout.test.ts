import { expect, test } from 'vitest';
import { timeoutIn } from '../../src/webhook/timeout.ts';

test.each([
  ['/mutate', undefined],
  ['/mutate?timeout=10s', 10_000],
  ['/mutate?a=b&timeout=1m30s', 90_000],
  ['/mutate?timeout=500ms', 500],
  ['/mutate?timeout=1.5s', 1_500],
  ['/mutate?timeout=', undefined],
  ['/mutate?timeout=10', undefined],
  ['/mutate?timeout=-10s', undefined],
  ['/mutate?timeout=10s;', undefined],
  ['', undefined],
])('the time that %s gives is %s', (url, milliseconds) => {
  expect(timeoutIn(url)).toBe(milliseconds);
});
