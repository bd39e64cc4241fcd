import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, test } from 'vitest';
import { comparisonCostOf, createCelCompiler } from '../src/internal.ts';

const compiler = createCelCompiler();
const environment = compiler
  .extend(new Environment({ enableOptionalTypes: true }))
  .registerVariable('numbers', 'list<int>')
  .registerVariable('text', 'string');
const numbers = Array.from({ length: 100 }, (_, i) => BigInt(i));

const evaluate = (source: string, steps: number, variables: Readonly<Record<string, unknown>> = { numbers, text: 'a'.repeat(10_000) }) => {
  const meter = { remaining: steps };
  const value = compiler
    .compile(source, environment)
    .evaluate(variables, { meter, costOf: comparisonCostOf, exhaustedMessage: 'no steps are left' });
  return { value, used: steps - meter.remaining };
};

describe('a metered expression', () => {
  test('keeps its value and its type', () => {
    expect(evaluate('numbers.all(x, x < 100)', 1000).value).toBe(true);
    expect(evaluate("text.matches('^a+$')", 10_000).value).toBe(true);
    expect(compiler.compile('numbers.map(x, x * 2)', environment).type).toBe('list<int>');
  });

  test.each([
    ['iterates over a list', 'numbers.all(x, x >= 0)'],
    ['compares lists', 'numbers == numbers'],
    ['searches an element', '-1 in numbers'],
    ['nests iterations', 'numbers.all(x, numbers.all(y, x + y >= 0))'],
    ['matches a pattern', "text.matches('(a|b)*c')"],
    ['concatenates texts', 'text + text == text'],
  ])('stops if it %s and the meter is exhausted', (_, source) => {
    expect(() => evaluate(source, 20)).toThrow('no steps are left');
  });

  test.each([
    ["((1 == 1) ? text : 'b').matches('^a+$')", true],
    ["(('b') + (text)).matches('^ba+$')", true],
    ["(('(' + ( text ) ) ).matches('^.a+$')", true],
    ['((numbers) + [1])[0] == (1) - (1)', true],
    ['(((1) + 2)) * 3 == ((3 + (6)))', true],
    ['((1 == 1) ? numbers : [1])[1] == 1', true],
    ["// ) a comment\n(('b') + (text)) == r')' + ((text))", false],
  ])('may have operands in parentheses: %s', (source, value) => {
    expect(evaluate(source, 10_000).value).toBe(value);
  });

  test('counts the steps of a large pattern on a large text', () => {
    const text = 'a'.repeat(3_000_000);
    expect(() => evaluate("text.matches('a{900}b')", 1_000_000, { numbers, text })).toThrow('no steps are left');
  });

  test('charges for the evaluated steps, not for the length of the source', () => {
    const singleLoop = evaluate('numbers.all(x, x >= 0)', 100_000).used;
    const nestedLoop = evaluate('numbers.all(x, numbers.all(y, y >= 0))', 100_000).used;
    expect(singleLoop).toBeGreaterThanOrEqual(100);
    expect(nestedLoop).toBeGreaterThan(singleLoop * 50);
  });

  test('stops inside an || that would hide any other error', () => {
    expect(() => evaluate('numbers.exists(x, numbers.all(y, numbers.all(z, z < 0 || z >= 0))) || true', 200)).toThrow('no steps are left');
  });
});

test.each([
  ['numbers.', /Expected IDENTIFIER/],
  ['numbers + 1 == numbers', /no such overload: list<int> \+ int/],
  ["text.matches('(')", /the pattern "\(" is invalid/],
  ['nothing > 1', /Unknown variable: nothing/],
])('compiler.compile rejects the expression %s', (source, message) => {
  expect(() => compiler.compile(source, environment)).toThrow(message);
});
