import { expect, test } from 'vitest';
import { assertNone, prefixed, problem, TypeProblems } from '../../../../src/patch/apply/typed/problems.ts';

test('problems are told with their paths', () => {
  expect(() => assertNone([])).not.toThrow();
  expect(new TypeProblems(prefixed(problem('no'), '.a')).message).toBe('.a: no');
  expect(new TypeProblems([...problem('no'), ...prefixed(prefixed(problem('never'), '.b'), '.a')]).message).toBe(
    'errors:\n  no\n  .a.b: never',
  );
});
