import type { Optional } from '../../../types/index.ts';

/**
 * A quantity in billionths, rounded up; 0 for none and for text that is no quantity, which no API server lets through.
 * What does not fit 2^63 - 1 whole units counts as that.
 *
 * Mirrors ParseQuantity (apimachinery, pkg/api/resource/quantity.go).
 */
export function readNanos(quantity: Optional<string | number>): number {
  const match = quantityText.exec(String(quantity ?? ''));
  if (!match) return 0;
  const [, number, suffix = ''] = match as unknown as [string, string, string?];
  const binary = binarySuffixes.indexOf(suffix);
  const exponent = /^[eE].*\d$/.test(suffix) ? Number(suffix.slice(1)) : (decimalExponents[suffix] ?? 0);
  // appending the exponent to the digits reads the product exactly rounded, where a multiplication would round twice
  const nanos = suffix !== '' && binary >= 0 ? Number(`${number}e9`) * 1024 ** (binary + 1) : Number(`${number}e${exponent + 9}`);
  return Math.sign(nanos) * Math.min(Math.ceil(Math.abs(nanos)), maxNanos);
}

const quantityText = /^([+-]?(?:\d+\.?\d*|\.\d+))([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,9})?$/;
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalExponents: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const maxNanos = (2 ** 63 - 1) * 1e9;
