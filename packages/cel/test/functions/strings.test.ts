import { describe, expect, test } from 'vitest';
import { stringFunctions } from '../../src/functions/strings.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const parts = [stringFunctions];

describe('string functions', () => {
  test('agree with Kubernetes, except for byte literals and the order of strings', () => {
    expect(Object.keys(findDifferences('strings', ...parts))).toEqual([
      // The library reads byte literals as characters.
      "size(b'é')",
      // The library compares strings by UTF-16 code units.
      "'\\U0001F600' < '\\uffee'",
    ]);
  });

  test('refuse to make an overlong string', () => {
    const evaluate = createEvaluator(parts);
    const long = `'${'a'.repeat(2 ** 19)}'`;
    const problem = 'evaluate: the text would be longer than 1048576 characters';
    for (const expression of [
      `[${long}, ${long}].join('-')`,
      `[${long}, ${long}, 'a'].join()`,
      `${long}.replace('', 'a')`,
      `${long}.replace('a', 'aaa')`,
    ]) {
      expect(evaluate(expression).problem).toBe(problem);
    }
    expect(evaluate(`[${long}, ${long}].join().size()`)).toEqual({ value: { int: `${2 ** 20}` } });
    expect(evaluate(`strings.quote('${'\\n'.repeat(2 ** 19 + 1)}')`).problem).toBe(problem);
  });
});
