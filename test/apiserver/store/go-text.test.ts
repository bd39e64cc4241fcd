import { expect, test } from 'vitest';
import { escapeText, quote } from '../../../src/apiserver/store/go-text.ts';

test.each([
  ['plain', '"plain"'],
  ['"', '"\\""'],
  ['\\', '"\\\\"'],
  ['\n\t\u0001\u007f', '"\\n\\t\\x01\\x7f"'],
  ['\u0081ä', '"\\u0081ä"'],
])('%j is printed as %s', (text, printed) => expect(quote(text)).toBe(printed));

test('without the quotes', () => expect(escapeText('a\vb')).toBe('a\\vb'));
