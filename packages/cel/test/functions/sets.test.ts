import { describe, expect, test } from 'vitest';
import { listFunctions } from '../../src/functions/lists.ts';
import { setFunctions } from '../../src/functions/sets.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const parts = [listFunctions, setFunctions];

describe('set functions', () => {
  test('agree with Kubernetes', () => {
    expect(Object.keys(findDifferences('sets', ...parts))).toEqual([]);
  });

  test('handle long lists quickly', () => {
    const evaluate = createEvaluator(parts);
    expect(evaluate('sets.equivalent(lists.range(90000), lists.range(90000).reverse())')).toEqual({ value: true });
    expect(evaluate('sets.intersects(lists.range(90000), lists.range(90000).map(x, x - 90000))')).toEqual({ value: false });
  });

  test('examine at most a million values', () => {
    const expression = 'sets.contains([lists.range(90000)], lists.range(20).map(x, lists.range(90000)))';
    expect(createEvaluator(parts)(expression).problem).toBe('evaluate: the function would visit more than 1000000 values');
  });
});
