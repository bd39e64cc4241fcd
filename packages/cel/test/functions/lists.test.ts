import { describe, expect, test } from 'vitest';
import { listFunctions } from '../../src/functions/lists.ts';
import { optionalFunctions } from '../../src/functions/optionals.ts';
import { stringFunctions } from '../../src/functions/strings.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const parts = [stringFunctions, listFunctions, optionalFunctions];

describe('list functions', () => {
  test('agree with Kubernetes, except for typed literals and sortBy', () => {
    expect(Object.keys(findDifferences('lists', ...parts))).toEqual([
      // A list of null has a static type that cannot be compared.
      '[null].isSorted()',
      // Accepted here, so that lists of several types can be searched.
      "[1].indexOf('a')",
      // The static type of an empty list has no elements.
      '[].flatten()',
      '[null].sort()',
      // This macro is not supported.
      '[3, 1].sortBy(x, x)',
    ]);
  });

  test('refuse to make an overlong list', () => {
    const evaluate = createEvaluator(parts);
    const problem = 'evaluate: the list would have more than 100000 elements';
    expect(evaluate('lists.range(100001)').problem).toBe(problem);
    expect(evaluate('lists.range(9223372036854775807)').problem).toBe(problem);
    expect(evaluate('lists.range(100000).size()')).toEqual({ value: { int: '100000' } });
    expect(evaluate('[1, 2].map(x, lists.range(60000)).flatten()').problem).toBe(problem);
  });

  test('handle long lists quickly', () => {
    const evaluate = createEvaluator(parts);
    expect(evaluate('lists.range(90000).map(x, [x]).distinct().size()')).toEqual({ value: { int: '90000' } });
    expect(evaluate('lists.range(90000).reverse().sort().lastIndexOf(0)')).toEqual({ value: { int: '0' } });
  });
});
