import { describe, expect, test } from 'vitest';
import { listFunctions } from '../../src/functions/lists.ts';
import { optionalFunctions } from '../../src/functions/optionals.ts';
import { stringFunctions } from '../../src/functions/strings.ts';
import { differences, evaluator } from '../replay.ts';

const parts = [stringFunctions, listFunctions, optionalFunctions];

describe('functions of lists', () => {
  test('are as in the original', () => {
    expect(Object.keys(differences('lists', ...parts))).toEqual([
      // known to be null, it is none of the types that can be compared
      '[null].isSorted()',
      // so that lists of several types can be searched
      "[1].indexOf('a')",
      // known to be of nothing
      '[].flatten()',
      '[null].sort()',
      // a macro that is not here
      '[3, 1].sortBy(x, x)',
    ]);
  });

  test('make no lists that are too long', () => {
    const evaluate = evaluator(parts);
    const problem = 'evaluate: the list would have more than 100000 elements';
    expect(evaluate('lists.range(100001)').problem).toBe(problem);
    expect(evaluate('lists.range(9223372036854775807)').problem).toBe(problem);
    expect(evaluate('lists.range(100000).size()')).toEqual({ value: { int: '100000' } });
    expect(evaluate('[1, 2].map(x, lists.range(60000)).flatten()').problem).toBe(problem);
  });

  test('are done with long lists soon', () => {
    const evaluate = evaluator(parts);
    expect(evaluate('lists.range(90000).map(x, [x]).distinct().size()')).toEqual({ value: { int: '90000' } });
    expect(evaluate('lists.range(90000).reverse().sort().lastIndexOf(0)')).toEqual({ value: { int: '0' } });
  });
});
