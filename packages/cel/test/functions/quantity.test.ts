import { describe, expect, test } from 'vitest';
import { type CelQuantity, quantityFunctions } from '../../src/functions/quantity.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const longLength = 2 ** 20;
const evaluate = createEvaluator([quantityFunctions]);

describe('quantities', () => {
  test('agree with Kubernetes, except for its in-place changes and the type of its sums', () => {
    expect(Object.keys(findDifferences('quantity', quantityFunctions))).toEqual([
      // In Kubernetes, sums have another Go type, which equals no quantity.
      'quantity("2") == quantity("1").add(quantity("1"))',
      // Kubernetes stores the sum in its first operand.
      '[quantity("1Ei")].map(q, [q.add(q).compareTo(q), q.compareTo(q)])',
    ]);
  });

  test.each([
    ['digits', '1'.repeat(longLength)],
    ['a fraction', `0.${'1'.repeat(longLength)}Ei`],
    ['zeros', `0.${'0'.repeat(longLength)}1`],
    ['zeros in front', `${'0'.repeat(longLength)}1x`],
    ['an exponent', `1e${'0'.repeat(longLength)}9`],
    ['letters', `1${'E'.repeat(longLength)}`],
  ])('are parsed quickly: %s', (_, text) => {
    evaluate('isQuantity(given) && quantity(given).isLessThan(quantity("1"))', text);
  });

  test('with huge exponents can be compared, but neither added nor printed', () => {
    expect(evaluate('quantity("1e2000000000").compareTo(quantity("1e-9"))')).toEqual({ value: { int: '1' } });
    expect(evaluate('quantity("-1e2000000000").compareTo(quantity("12345678901234567890"))')).toEqual({ value: { int: '-1' } });
    expect(evaluate('quantity("1e-9").compareTo(quantity("1e2000000000"))')).toEqual({ value: { int: '-1' } });
    const problem = 'evaluate: quantities of more than 1000 digits are not supported';
    expect(evaluate('quantity("1e2000000000").add(1)').problem).toBe(problem);
    expect(evaluate('quantity("1e995").add(quantity("1n"))').problem).toBe(problem);
    expect(evaluate('quantity("12345678901234567890e2000000000")').problem).toBe(problem);
    expect(evaluate(`quantity("${'1'.repeat(1001)}")`).problem).toBe(problem);
    expect(evaluate(`quantity("${'1'.repeat(980)}").add(quantity("1e990")).asApproximateFloat()`)).toEqual({ value: { double: '+Inf' } });
  });

  test('have the same valueOf() if they are the same number', () => {
    const parseQuantity = quantityFunctions.functions.find(({ signature }) => signature.startsWith('quantity('))?.run as (
      text: string,
    ) => CelQuantity;
    const toValue = (text: string): unknown => parseQuantity(text).valueOf();
    expect(['1k', '1000', '1000.0', '1e3'].map(toValue)).toEqual(Array(4).fill('1e3'));
    expect(['0', '0n', '-0E', '0.00'].map(toValue)).toEqual(Array(4).fill('0'));
    expect(['-1.5', '1Ki', '1Ei'].map(toValue)).toEqual(['-15e-1', '1024e0', '1152921504606846976e0']);
  });
});
