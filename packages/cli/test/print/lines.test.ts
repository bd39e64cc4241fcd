import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { diffLines, formatEdit, toUnifiedDiff } from '../../src/print/lines.ts';
import { markedStyle } from '../objects.ts';

const marks = { same: ' ', removed: '-', added: '+' } as const;
const formatDiff = (before: string, after: string): string =>
  diffLines([...before], [...after])
    .map(({ kind, line }) => marks[kind] + line)
    .join('');

describe('a line diff', () => {
  test.each([
    ['', '', ''],
    ['abc', 'abc', ' a b c'],
    ['abc', 'axc', ' a-b+x c'],
    ['abcd', 'bd', '-a b-c d'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abcabba', 'cbabac', '-a-b c-a b+a b a+c'],
  ])('turns %j into %j', (before, after, expected) => {
    expect(formatDiff(before, after)).toBe(expected);
  });

  test('reproduces both inputs', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = diffLines(before, after);
        expect(edits.filter(({ kind }) => kind !== 'added').map(({ line }) => line)).toEqual(before);
        expect(edits.filter(({ kind }) => kind !== 'removed').map(({ line }) => line)).toEqual(after);
      }),
    );
  });

  test('replaces everything if the lists are too long to search', () => {
    const before = Array.from({ length: 4000 }, (_, i) => `a${i}`);
    const edits = diffLines(['x', ...before], ['x', 'y', ...before.map((line) => `${line}!`)]);
    expect(edits.map(({ kind }) => kind)).toEqual(['same', ...before.map(() => 'removed'), 'added', ...before.map(() => 'added')]);
  });

  test('leaves out lines far from any change', () => {
    const before = [...'abcdefghijklm'];
    const text = toUnifiedDiff(
      diffLines(
        before,
        before.map((line) => (line === 'g' ? 'G' : line)),
      ),
    ).map(({ line }) => line);
    expect(text.join(' ')).toBe('... d e f g G h i j ...');
  });
});

test.each([
  ['same', '    x'],
  ['removed', 'red(  - x)'],
  ['added', 'green(  + x)'],
] as const)('formatEdit formats a line of kind %s as "%s"', (kind, text) => {
  expect(formatEdit({ kind, line: 'x' }, markedStyle)).toBe(text);
});

test('formatEdit escapes control characters', () => {
  expect(formatEdit({ kind: 'same', line: 'a\u001b[2J' }, markedStyle)).toBe('    a\\u001b[2J');
});
