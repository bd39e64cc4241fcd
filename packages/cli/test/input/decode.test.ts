import { describe, expect, test } from 'vitest';
import { decode } from '../../src/input/read.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : part)));

describe('decode of UTF-8', () => {
  test.each([
    ['no bytes', bytes(), ''],
    ['characters of one to four bytes', utf8('aé€😀'), 'aé€😀'],
    ['a byte order mark, which is removed', bytes([0xef, 0xbb, 0xbf], 'a: 1'), 'a: 1'],
    ['tabs and all line endings', utf8('a\tb\r\nc\nd\re'), 'a\tb\r\nc\nd\re'],
    ['the characters after the control characters', utf8(' ~\u0080\u00a0'), ' ~\u0080\u00a0'],
  ])('accepts %s', (_, input, expected) => {
    expect(decode(input)).toEqual({ text: expected });
  });
});

describe('decode of UTF-16', () => {
  test.each([
    ['little-endian text', bytes([0xff, 0xfe, 0x61, 0])],
    ['big-endian text', bytes([0xfe, 0xff, 0, 0x61])],
    ['only a byte order mark', bytes([0xff, 0xfe])],
  ])('refuses %s', (_, input) => {
    expect(decode(input)).toEqual({ error: 'this is UTF-16: give UTF-8' });
  });
});

describe('decode of invalid UTF-8', () => {
  const error = 'not UTF-8: give YAML or JSON in UTF-8';
  const block = 64 * 1024;
  const linesOf = (count: number): string => `${'x'.repeat(63)}\n`.repeat(count);
  test.each<[string, Uint8Array, number]>([
    ['an invalid first byte', bytes([0x80], 'a'), 1],
    ['a character cut off by the end', bytes('a\nb', [0xe2, 0x82]), 2],
    ['a character cut off by the end of its line', bytes('a\n', [0xe2, 0x82], '\nb\n'), 2],
    ['an overlong form', bytes('\n\n', [0xc0, 0xaf]), 3],
    ['half of a surrogate pair', bytes('\n', [0xed, 0xa0, 0x80]), 2],
    ['a code point beyond U+10FFFF', bytes([0xf4, 0x90, 0x80, 0x80]), 1],
    ['Latin-1', bytes('a: b\nc: caf', [0xe9], '\nd: e\n'), 2],
    ['one byte of a byte order mark', bytes([0xff]), 1],
    ['the last line of a block', bytes(linesOf(1023), 'x', [0x80], '\n', linesOf(3)), 1024],
    ['the first line of the second block', bytes(linesOf(1024), [0x80], '\n'), 1025],
    ['the last of several blocks', bytes(linesOf(3000), [0x80]), 3001],
    ['a line longer than a block', bytes('a\n', 'x'.repeat(3 * block), [0x80], '\n'), 2],
    ['the line after a line longer than a block', bytes('x'.repeat(3 * block), '\n', [0x80], '\n'), 2],
  ])('refuses %s and reports its line', (_, input, line) => {
    expect(decode(input)).toEqual({ error, line });
  });

  test.each([1, 2, 3, 4, 5].map((shift) => [shift]))(
    'accepts valid characters that cross a block boundary and begin %i bytes before it',
    (shift) => {
      const input = bytes('x'.repeat(block - shift), '😀€é\n', 'é'.repeat(block), '\n', [0x80]);
      expect(decode(input)).toEqual({ error, line: 3 });
      expect(decode(input.subarray(0, -1))).toEqual({ text: `${'x'.repeat(block - shift)}😀€é\n${'é'.repeat(block)}\n` });
    },
  );
});

describe('decode of control characters', () => {
  test.each([
    ['\u0000', 'U+0000'],
    ['\u0008', 'U+0008'],
    ['\u000b', 'U+000B'],
    ['\u000c', 'U+000C'],
    ['\u000e', 'U+000E'],
    ['\u001b', 'U+001B'],
    ['\u001f', 'U+001F'],
    ['\u007f', 'U+007F'],
  ])('refuses %j and reports its line', (character, name) => {
    expect(decode(utf8(`a\nb\n${character}\n`))).toEqual({ error: `not text (the control character ${name}): give YAML or JSON`, line: 3 });
  });

  test('reports only the first control character', () => {
    expect(decode(utf8('\u0007\n\u0001'))).toMatchObject({ error: expect.stringContaining('U+0007'), line: 1 });
  });
});
