import { expect, test } from 'vitest';
import { escapeText, isLongerThan, isPrintable, printList, quote } from '../../src/apimachinery/index.ts';

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['"', '"\\""'],
  ['\\', '"\\\\"'],
  ['\n\t\u0001\u007f', '"\\n\\t\\x01\\x7f"'],
  ['\u0000\u001f', '"\\x00\\x1f"'],
  ['\u0081ä', '"\\u0081ä"'],
  ['\u00a0\u00ad\u2028\ue000', '"\\u00a0\\u00ad\\u2028\\ue000"'],
  ['日本 ☺ 😀', '"日本 ☺ 😀"'],
  ['\u{e0001}', '"\\U000e0001"'],
  ['\u200b\u0007', '"\\u200b\\a"'],
  ['\ud800', '"\ufffd"'],
])('quote prints %j as %s', (text, printed) => expect(quote(text)).toBe(printed));

test('printList prints lists without commas', () => {
  expect([printList([]), printList(['a', 'b'])]).toEqual(['[]', '[a b]']);
});

test('escapeText adds no quotes', () => expect(escapeText('a\vb')).toBe('a\\vb'));

test.each([
  [' ', true],
  ['ä', true],
  ['\u00a0', false],
  ['\u0007', false],
])('isPrintable(%j) is %s', (char, printable) => expect(isPrintable(char)).toBe(printable));

test.each([
  ['', 0, false],
  ['abc', 3, false],
  ['abcd', 3, true],
  ['aé', 3, false],
  ['éé', 3, true],
  ['€', 3, false],
  ['€a', 3, true],
  ['😀', 3, true],
  ['😀', 4, false],
  ['\ud800', 3, false],
  ['\ud800', 2, true],
  ['a'.repeat(63), 63, false],
  ['é'.repeat(32), 63, true],
])('isLongerThan(%j, %i) is %s', (text, limit, longer) => expect(isLongerThan(text, limit)).toBe(longer));
