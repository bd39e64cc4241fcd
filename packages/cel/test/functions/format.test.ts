import { describe, expect, test } from 'vitest';
import { formatFunctions } from '../../src/functions/format.ts';
import { stringFunctions } from '../../src/functions/strings.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const parts = [stringFunctions, formatFunctions];

describe('format', () => {
  test('agrees with Kubernetes except for map literals', () => {
    expect(Object.keys(findDifferences('format', ...parts))).toEqual([
      // The library converts the keys of map literals to strings.
      "'%s'.format([{1: 'a', true: 'b', 'x': null, 2u: 3u}])",
      "'%s'.format([{1.5: 2}])",
    ]);
  });

  test('refuses to make an overlong string', () => {
    const evaluate = createEvaluator(parts);
    const problem = 'evaluate: error during formatting: the text would be longer than 1048576 characters';
    expect(evaluate("'%.2000000f'.format([1.5])").problem).toBe(problem);
    expect(evaluate("'%.2000000e'.format([1.5])").problem).toBe(problem);
    const long = `'${'a'.repeat(2 ** 19)}'`;
    expect(evaluate(`'%s%s'.format([${long}, ${long}])`).problem).toBe('evaluate: the text would be longer than 1048576 characters');
    expect(evaluate(`'%s'.format([[${long}, ${long}, 'a']])`).problem).toBe(problem);
    expect(evaluate(`'%x'.format([${long} + 'a'])`).problem).toBe(problem);
  });
});
