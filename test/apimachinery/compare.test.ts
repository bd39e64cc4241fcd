import { expect, it } from 'vitest';
import { compareText } from '../../src/apimachinery/index.ts';

/** In the order of their UTF-8 bytes. In the order of UTF-16 code units, the characters above U+FFFF would come before U+FB00. */
const sortedTexts = ['', 'A', 'a', 'a-b', 'a.b', 'aa', 'ab', 'b', 'é', '\ufb00', '\uffee', '\u{1f600}', '\u{1f600}a', '\u{1f601}'];

it('compareText sorts by UTF-8 bytes', () => {
  for (const [i, a] of sortedTexts.entries()) {
    for (const [j, b] of sortedTexts.entries()) expect(Math.sign(compareText(a, b)), `${a} and ${b}`).toBe(Math.sign(i - j));
  }
});

it.each([
  ['\uffee', '\u{1f600}'],
  ['x\uffeey', 'x\u{1f600}'],
  ['\u{1f600}', '\u{1f600}a'],
  ['\u{1f600}', '\u{1f600}\0'],
])('compareText sorts %j before %j', (first, second) => {
  expect(compareText(first, second)).toBeLessThan(0);
  expect(compareText(second, first)).toBeGreaterThan(0);
  expect(Buffer.compare(Buffer.from(first), Buffer.from(second))).toBe(-1);
});
