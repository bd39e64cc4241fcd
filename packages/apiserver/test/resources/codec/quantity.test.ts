import { expect, test } from 'vitest';
import { isQuantity, millisOf, parseQuantity, printQuantity } from '../../../src/resources/codec/quantity.ts';

test.each([
  ['1', '1'],
  ['0', '0'],
  ['0Mi', '0'],
  ['1000m', '1'],
  ['0.5', '500m'],
  ['1500m', '1500m'],
  ['1.500', '1.500'],
  ['1024Mi', '1Gi'],
  ['1025Mi', '1025Mi'],
  ['1.5Gi', '1536Mi'],
  ['1000Ki', '1000Ki'],
  ['100000k', '100M'],
  ['1e3', '1e3'],
  ['1E6', '1E6'],
  ['1E', '1E'],
  ['-2Gi', '-2Gi'],
  ['+5', '+5'],
  ['.5', '500m'],
  ['5.', '5.'],
  ['0.0000000001', '1n'],
  ['512.5Ki', '524800'],
])('%s is printed as %s', (text, printed) => expect(parseQuantity(text)).toMatchObject({ text: printed }));

test.each(['', ' ', 'x', '1x', '1 Gi', '--1', '1..5', '1e', 'Ki', '1Kii', '0x10'])('%j is none', (text) => {
  expect(isQuantity(parseQuantity(text))).toBe(false);
});

test('rounds away from zero', () => {
  expect([millisOf(1n), millisOf(-1n), millisOf(1_000_000n), millisOf(-1_500_000n)]).toEqual([1n, -1n, 1n, -2n]);
});

test('is of no size that fills memory', () => {
  expect(String(parseQuantity(`1e${'9'.repeat(9)}`)).length).toBeLessThan(1000);
});

test('prints small binary quantities decimally', () => expect(printQuantity(500_000_000_000n, 'binary')).toBe('500'));
