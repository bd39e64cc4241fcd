import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { escapeUnprintable, formatValue, wrap } from '../../src/print/text.ts';

describe('escapeUnprintable', () => {
  test.each([
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['line ends and tabs', 'a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
    ['the first and last control character', '\u0000\u001f', '\\u0000\\u001f'],
    ['the control characters from U+007F', '\u007f\u0080\u009b\u009f', '\\u007f\\u0080\\u009b\\u009f'],
    ['direction marks', '\u061c\u200e\u200f', '\\u061c\\u200e\\u200f'],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['directional embeddings and overrides', '\u202a\u202b\u202c\u202d\u202e', '\\u202a\\u202b\\u202c\\u202d\\u202e'],
    ['directional isolates', '\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
  ])('escapes %s', (_, text, expected) => {
    expect(escapeUnprintable(text)).toBe(expected);
  });

  test.each(['', ' ~', 'é€😀', '\u00a0', '\u200d', '\u2027\u202f', '\u2065\u206a', '\\u001b'])('leaves %j unchanged', (text) => {
    expect(escapeUnprintable(text)).toBe(text);
  });
});

describe('formatValue', () => {
  test.each([
    ['', '""'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}"...`],
    [0, '0'],
    [Number.NaN, 'NaN'],
    [false, 'false'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[], 'a list'],
    [{ a: 1 }, 'a map'],
    [new Set(['a']), 'a value with a tag'],
    [new Uint8Array(1), 'a value with a tag'],
  ])('formats %j as %j', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

describe('wrap', () => {
  test.each<[string, number | undefined, string[]]>([
    ['aa bb', 5, ['aa bb']],
    ['aa bb', 4, ['aa', 'bb']],
    ['aa bb cc', 5, ['aa bb', 'cc']],
    ['a bb ccc dddd', 4, ['a bb', 'ccc', 'dddd']],
    ['aaaaaa b', 3, ['aaa', 'aaa', 'b']],
    ['b aaaaaa b', 3, ['b', 'aaa', 'aaa', 'b']],
    ['a.b.ccc[d].e f', 6, ['a.b.', 'ccc[', 'd].e f']],
    ['', 3, ['']],
    ['a b', 0, ['a', 'b']],
    ['a b c', undefined, ['a b c']],
  ])('breaks %j at width %j', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test('keeps every letter, never exceeds the width and fills lines', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 20 }), (generatedWords, width) => {
        const lines = wrap(generatedWords.join(' '), width);
        expect(lines.join('').replaceAll(' ', '')).toBe(generatedWords.join(''));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        for (const [index, line] of lines.slice(1).entries())
          expect(`${lines[index]} ${line.split(' ')[0]}`.length, 'a word that fits on the previous line').toBeGreaterThan(width);
      }),
    );
  });
});
