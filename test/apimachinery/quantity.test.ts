import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { approximateNanos, isQuantity, milliValue, parseQuantity, printQuantity } from '../../src/apimachinery/index.ts';

/** Results of resource.ParseQuantity of apimachinery v0.36.3. Each row has text, canonical text and decimal value, or text and error. */
const rows = readFileSync(new URL('quantity.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [text: string, printed: string, value?: string]);

describe('parseQuantity', () => {
  it.each(rows)('reads %j as Kubernetes does: %s', (text, printed, value) => {
    const quantity = parseQuantity(text);
    if (value === undefined) expect(quantity).toBe(printed);
    else expect(quantity).toStrictEqual({ nanos: nanosOf(value), text: printed });
  });

  it.each([
    ['1.500', '1.500'],
    ['1.5Gi', '1536Mi'],
    ['1000Ki', '1000Ki'],
    ['0.0000000001', '1n'],
    ['512.5Ki', '524800'],
    ['Ki', '0'],
    ['00012', '00012'],
    ['3000000P', '3'],
  ])('prints %s as %s', (text, printed) => {
    expect(parseQuantity(text)).toHaveProperty('text', printed);
  });

  it.each(['', ' ', 'x', '1x', '1 Gi', '--1', '1..5', '1e', '1Kii', '0x10', '1e-', '1e9999999999999999999', 'Ei'])('refuses %j', (text) => {
    expect(isQuantity(parseQuantity(text))).toBe(false);
  });

  it('caps extreme exponents', () => {
    expect(String(parseQuantity(`1e${'9'.repeat(9)}`)).length).toBeLessThan(1000);
    expect(parseQuantity(`1e-${'9'.repeat(9)}`)).toStrictEqual({ nanos: 1n, text: '1e-9' });
  });

  it.each([
    ['digits', '1'.repeat(2 ** 18)],
    ['zeros', `${'0'.repeat(2 ** 20)}1x`],
    ['an exponent', `1e${'0'.repeat(2 ** 20)}9`],
    ['letters', `1${'E'.repeat(2 ** 20)}`],
  ])('reads many %s in linear time', (_, text) => {
    // With quadratic time, the test would time out.
    approximateNanos(text);
  });
});

it('milliValue rounds away from zero', () => {
  expect([milliValue(1n), milliValue(-1n), milliValue(1_000_000n), milliValue(-1_500_000n)]).toStrictEqual([1n, -1n, 1n, -2n]);
});

it('printQuantity prints small binary quantities in decimal', () => expect(printQuantity(500_000_000_000n, 'binary')).toBe('500'));

describe('approximateNanos', () => {
  it.each(rows)('is close to the exact value of %j', (text) => {
    const quantity = parseQuantity(text);
    const exact = isQuantity(quantity) ? Number(quantity.nanos) : 0;
    const capped = Math.sign(exact) * Math.min(Math.abs(exact), (2 ** 63 - 1) * 1e9);
    expect(Math.abs(approximateNanos(text) - capped)).toBeLessThanOrEqual(Math.max(1, Math.abs(capped) * 1e-15));
  });

  it('returns 0 for an absent quantity, and accepts numbers', () => {
    expect([undefined, null, '', 2, '100m'].map(approximateNanos)).toStrictEqual([0, 0, 0, 2e9, 1e8]);
  });
});

/** A decimal text in billionths, rounded away from zero. */
function nanosOf(value: string): bigint {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  const nanos = BigInt(whole + fraction.slice(0, 9).padEnd(9, '0')) + (/[1-9]/.test(fraction.slice(9)) ? 1n : 0n);
  return value.startsWith('-') ? -nanos : nanos;
}
