import { describe, expect, test } from 'vitest';
import { regexFunctionsWith } from '../../src/functions/regex.ts';
import { createPatterns } from '../../src/patterns.ts';
import { differences, evaluator } from '../replay.ts';

describe('find and findAll', () => {
  test('are as in the original', () => {
    expect(Object.keys(differences('regex'))).toEqual([]);
  });

  test('give up what takes too many steps', () => {
    const evaluate = evaluator([]);
    // for each match the text is read to its end
    expect(evaluate(`'${'a'.repeat(20_000)}'.findAll('a*b|a').size()`).problem).toBe(
      'evaluate: it takes too many steps to find the pattern',
    );
    expect(evaluate(`'${'a'.repeat(20_000)}'.find('(a*)*b')`)).toEqual({ value: '' });
    expect(evaluate(`'a'.find('${'a'.repeat(501)}')`).problem).toMatch(/^compile: .*cannot be used: it is longer than 500 characters$/);
  });

  test('tell of their steps', () => {
    let steps = 0;
    const counted = regexFunctionsWith(createPatterns(), (more) => {
      steps += more;
    });
    const find = counted.functions.find(({ signature }) => signature === 'string.find(string): string');
    expect(find?.run('aab' as never, 'b' as never)).toBe('b');
    expect(steps).toBeGreaterThan(3);
  });
});
