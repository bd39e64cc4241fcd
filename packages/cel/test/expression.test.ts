import { describe, expect, test } from 'vitest';
import { CelFailure, compileExpression } from '../src/index.ts';

describe('compileExpression', () => {
  test('evaluates over JSON values, with the functions of Kubernetes', async () => {
    const { type, evaluate } = await compileExpression('self.replicas <= 5 && quantity(self.memory).isLessThan(quantity("1Gi"))', ['self']);
    expect(type).toBe('bool');
    expect(evaluate({ self: { replicas: 5, memory: '512Mi' } })).toBe(true);
    expect(evaluate({ self: { replicas: 6, memory: '512Mi' } })).toBe(false);
  });

  test.each([
    ['self.replicas +', 'Unexpected token: EOF'],
    ['replicas > 5', 'Unknown variable: replicas'],
    ["'a'.matches('(')", 'missing closing )'],
  ])('refuses %s', async (source, message) => {
    await expect(compileExpression(source, ['self'])).rejects.toThrow(message);
    await expect(compileExpression(source, ['self'])).rejects.toBeInstanceOf(CelFailure);
  });

  test('throws a CelFailure with the reason if the evaluation fails', async () => {
    const { evaluate } = await compileExpression('self.replicas > 5', ['self']);
    expect(() => evaluate({ self: {} })).toThrow(CelFailure);
    expect(() => evaluate({ self: {} })).toThrow('No such key: replicas');
  });

  test('stops an expression that takes too many steps', async () => {
    const { evaluate } = await compileExpression('self.all(a, self.all(b, a + b >= 0))', ['self']);
    const self = Array.from({ length: 200 }, (_, i) => i);
    expect(evaluate({ self })).toBe(true);
    expect(() => evaluate({ self }, { maxSteps: 10_000 })).toThrow('the expression takes more than 10000 steps');
  });
});
