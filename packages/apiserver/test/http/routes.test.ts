import { expect, test } from 'vitest';
import { createFlushCoalescer } from '../../src/http/routes.ts';
import { createWarnings } from '../../src/http/warnings.ts';

test('concurrent callers share one flush', async () => {
  const nextFlush = createFlushCoalescer();
  const firstFlush = nextFlush();
  expect(nextFlush()).toBe(firstFlush);
  await firstFlush;
  const secondFlush = nextFlush();
  expect(secondFlush).not.toBe(firstFlush);
  await secondFlush;
});

test('a flush happens after the immediates and promises that were pending when it was requested', async () => {
  const nextFlush = createFlushCoalescer();
  for (let round = 0; round < 3; round++) {
    const completedCallbacks: string[] = [];
    setImmediate(() => completedCallbacks.push('immediate'));
    void Promise.resolve().then(() => completedCallbacks.push('promise'));
    await nextFlush();
    expect(completedCallbacks.sort()).toEqual(['immediate', 'promise']);
  }
});

function warningHeadersFor(...texts: readonly string[]): readonly string[] {
  const warnings = createWarnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers;
}

test('each warning is sent once, quoted and encoded as UTF-8', () => {
  expect(warningHeadersFor('unknown field "a\\b"', '', 'é', 'unknown field "a\\b"')).toEqual([
    String.raw`299 - "unknown field \"a\\b\""`,
    '299 - "\u00c3\u00a9"',
  ]);
});

test('a warning with a line break is dropped', () => {
  expect(warningHeadersFor('a\r\nSet-Cookie: b', 'fine')).toEqual(['299 - "fine"']);
});

test('warnings that exceed the total limit are truncated, and warnings beyond the limit are dropped', () => {
  const createLongText = (char: string): string => char.repeat(1000);
  expect(warningHeadersFor(createLongText('a'), createLongText('b'), createLongText('c'), createLongText('d'))).toHaveLength(4);
  const truncatedHeaders = warningHeadersFor(...'abcdefghijklmnopqrstuvwxyz'.split('').map(createLongText));
  expect(truncatedHeaders).toHaveLength(16);
  expect(truncatedHeaders[0]).toBe(`299 - "${'a'.repeat(256)}"`);
});
