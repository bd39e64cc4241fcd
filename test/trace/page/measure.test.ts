import { describe, expect, test } from 'vitest';
import { type Font, measureWidth, wrap } from '../../../src/trace/page/drawn-text.ts';
import { fc } from '../../support/property.ts';

const font: Font = { class: 'x', size: 10, line: 14 };
const fixedFont: Font = { ...font, fixed: true };

describe('measureWidth', () => {
  test.each([
    ['narrow letters take less room than wide letters', 'ill', 'mmm'],
    ['letters take less room than ideographs', 'abc', '名前名'],
    ['a combining mark takes no room', 'e\u0301', 'ee'],
  ])('%s', (_, narrow, wide) => {
    expect(measureWidth(narrow, font)).toBeLessThan(measureWidth(wide, font));
  });

  test('grows with size and weight, and depends only on the length in a fixed-width font', () => {
    expect(measureWidth('abc', { ...font, size: 20 })).toBeCloseTo(2 * measureWidth('abc', font));
    expect(measureWidth('abc', { ...font, bold: true })).toBeGreaterThan(measureWidth('abc', font));
    expect(measureWidth('iii', fixedFont)).toBe(measureWidth('mmm', fixedFont));
  });
});

describe('wrap', () => {
  test('breaks at spaces, and inside a word only if it is longer than a line', () => {
    expect(wrap('aa bb cc', 31, fixedFont)).toEqual(['aa bb', 'cc']);
    expect(wrap('aa bbbbbbb c', 31, fixedFont)).toEqual(['aa', 'bbbbb', 'bb c']);
  });

  test('returns no lines for blank text', () => {
    expect(wrap(' \n ', 100, font)).toEqual([]);
  });

  test('truncates after the last allowed line with an ellipsis', () => {
    expect(wrap('aa bb cc dd ee', 31, fixedFont, 2)).toEqual(['aa bb', 'cc d…']);
    expect(wrap('aa bb cc dd', 31, fixedFont, 2)).toEqual(['aa bb', 'cc dd']);
  });

  test('never exceeds the width or the number of lines, and keeps the text unless truncated', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 30, max: 500 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (text, width, maxLines, isFixed) => {
          const usedFont = isFixed ? fixedFont : font;
          const lines = wrap(text, width, usedFont, maxLines);
          expect(lines.length).toBeLessThanOrEqual(maxLines);
          for (const line of lines) expect(measureWidth(line, usedFont)).toBeLessThanOrEqual(width);
          const expectedText = text.replace(/\s/g, '');
          const wrappedText = lines.join('').replace(/\s/g, '');
          if (wrappedText !== expectedText) expect(lines.at(-1)?.endsWith('…')).toBe(true);
        },
      ),
    );
  });

  test('handles a text of many megabytes quickly', () => {
    const longText = 'x'.repeat(20_000_000);
    expect(wrap(longText, 100, font, 3)).toHaveLength(3);
  });
});
