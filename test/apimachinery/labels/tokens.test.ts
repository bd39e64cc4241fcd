import { expect, test } from 'vitest';
import { tokensOf } from '../../../src/apimachinery/labels/tokens.ts';

test.each([
  ['', []],
  ['a in (b,c)', ['a', 'in', '(', 'b', ',', 'c', ')']],
  ['a==b,!c', ['a', '==', 'b', ',', '!', 'c']],
  ['a===b', ['a', '==', '=', 'b']],
  ['!!=', ['!', '!=']],
  ['\ta\r\n=\u00a0b', ['a', '=', '\u00a0b']],
  ['a\u0000b\u0000\u0000c', ['a', 'b']],
])('%j', (text, tokens) => {
  const all = tokensOf(text);
  expect(all.slice(0, -1).map((token) => token.text)).toEqual(tokens);
  expect(all.at(-1)).toEqual({ kind: 'end', text: '' });
});
