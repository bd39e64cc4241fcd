import { describe, expect, test } from 'vitest';
import { createPainter } from '../../src/print/style.ts';
import { cell, formatTable } from '../../src/print/table.ts';
import { escapeUnprintable, formatValue, wrap } from '../../src/print/text.ts';

const style = (width?: number, colours = false) => ({ paint: createPainter(colours), width, wide: false });
const longText = 'a reason that has several words in it, and some more of them';

describe('a table', () => {
  test('separates columns by three spaces and shows empty cells as <none>', () => {
    expect(
      formatTable(
        ['NAME', 'N', 'LAST'],
        [
          [cell('a'), cell(''), cell('x')],
          [cell('longer'), cell(0), cell('')],
        ],
        style(),
      ),
    ).toEqual(['NAME     N        LAST', 'a        <none>   x', 'longer   0        <none>']);
  });

  test('wraps the last column on a terminal', () => {
    expect(formatTable(['NAME', 'WHY'], [[cell('a'), cell(longText)]], style(40))).toEqual([
      'NAME   WHY',
      'a      a reason that has several words',
      '       in it, and some more of them',
    ]);
  });

  test('moves the last column below the row if there is too little room', () => {
    expect(formatTable(['NAME', 'WHY'], [[cell('a-long-name-of-a-pod'), cell(longText)]], style(40))).toEqual([
      'NAME',
      'a-long-name-of-a-pod',
      '    a reason that has several words in',
      '    it, and some more of them',
    ]);
  });

  test('aligns columns regardless of colours', () => {
    const plain = formatTable(['A', 'B'], [[cell('x', 'red'), cell('y')]], style());
    const coloured = formatTable(['A', 'B'], [[cell('x', 'red'), cell('y')]], style(undefined, true));
    expect(coloured[1]).toBe('\u001b[31mx\u001b[0m   y');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
    expect(coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(plain);
  });

  test('escapes control characters in cells', () => {
    expect(formatTable(['A', 'B'], [[cell('\u001b[2Jx'), cell('y\n')]], style())[1]).toBe('\\u001b[2Jx   y\\u000a');
  });
});

describe('text in a table', () => {
  test('is wrapped between words', () => {
    expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc']);
    expect(wrap('aaaaaaaa b', 5)).toEqual(['aaaaa', 'aaa b']);
    expect(wrap('aa bb', undefined)).toEqual(['aa bb']);
  });

  test('formatValue shortens values to one line', () => {
    expect([
      formatValue('a\nb'),
      formatValue('x'.repeat(50)),
      formatValue([1]),
      formatValue({}),
      formatValue(null),
      formatValue(true),
    ]).toEqual(['"a\\nb"', `"${'x'.repeat(40)}"...`, 'a list', 'a map', 'null', 'true']);
    expect(escapeUnprintable('a\u202eb\u009b')).toBe('a\\u202eb\\u009b');
  });
});
