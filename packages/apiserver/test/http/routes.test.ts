import { expect, test } from 'vitest';
import { createFlushCoalescer, createWarnings } from '../../src/http/routes.ts';

test('concurrent callers share one flush', async () => {
  const nextFlush = createFlushCoalescer();
  const first = nextFlush();
  expect(nextFlush()).toBe(first);
  await first;
  const second = nextFlush();
  expect(second).not.toBe(first);
  await second;
});

test('a flush happens after the immediates and promises that were pending when it was requested', async () => {
  const nextFlush = createFlushCoalescer();
  for (let round = 0; round < 3; round++) {
    const done: string[] = [];
    setImmediate(() => done.push('immediate'));
    void Promise.resolve().then(() => done.push('promise'));
    await nextFlush();
    expect(done.sort()).toEqual(['immediate', 'promise']);
  }
});

function headersOf(...texts: readonly string[]): readonly string[] {
  const warnings = createWarnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers;
}

test('each warning is sent once, quoted and encoded as UTF-8', () => {
  expect(headersOf('unknown field "a\\b"', '', 'é', 'unknown field "a\\b"')).toEqual([
    String.raw`299 - "unknown field \"a\\b\""`,
    '299 - "\u00c3\u00a9"',
  ]);
});

test('a warning with a line break is dropped', () => {
  expect(headersOf('a\r\nSet-Cookie: b', 'fine')).toEqual(['299 - "fine"']);
});

test('warnings that exceed the total limit are truncated, and warnings beyond the limit are dropped', () => {
  const long = (char: string): string => char.repeat(1000);
  expect(headersOf(long('a'), long('b'), long('c'), long('d'))).toHaveLength(4);
  const truncated = headersOf(...'abcdefghijklmnopqrstuvwxyz'.split('').map(long));
  expect(truncated).toHaveLength(16);
  expect(truncated[0]).toBe(`299 - "${'a'.repeat(256)}"`);
});
