import { describe, expect, test } from 'vitest';
import { compileExpression, mayHaveType } from '../../src/cel/compile.ts';
import { createCelHost } from '../../src/cel/environment.ts';
import { describeEvaluationError, findUnsupportedFeature } from '../../src/cel/problems.ts';

const { environment, compiler } = createCelHost();
const environmentWithVariables = environment
  .clone()
  .registerVariable('n', 'int')
  .registerVariable('names', 'list<string>')
  .registerVariable('any', 'dyn');
const compile = (source: string) => compileExpression(source, environmentWithVariables, compiler);

describe('an invalid expression', () => {
  test.each([
    [
      'n > nothing',
      "compilation failed: ERROR: <input>:1:5: undeclared reference to 'nothing' (in container '')\n | n > nothing\n | ....^",
    ],
    ['n = 42', 'compilation failed: ERROR: <input>:1:3: Syntax error: Unexpected character: =\n | n = 42\n | ..^'],
    ['n > 1 &&\n  m', "compilation failed: ERROR: <input>:2:3: undeclared reference to 'm' (in container '')\n |   m\n | ..^"],
    [
      "names.all(x, x.matches('['))",
      'compilation failed: ERROR: <input>:1:24: the pattern "[" is invalid: error parsing regexp: missing closing ]: `[`\n' +
        " | names.all(x, x.matches('['))\n | .......................^",
    ],
    [
      "n > 1 && duration('x') > duration('1s')",
      "compilation failed: ERROR: <input>:1:19: invalid duration argument\n | n > 1 && duration('x') > duration('1s')\n | ..................^",
    ],
    ['n = 42', 'compilation failed: ERROR: <input>:1:3: Syntax error: Unexpected character: =\n | n = 42\n | ..^'],
  ])('is reported with its position as by cel-go: %s', (source, problem) => {
    expect(compile(source)).toEqual({ problem });
  });

  test.each([
    ['[?any.?x].size() > 0', 'optional elements of lists'],
    ['{?"a": any.?x}.size() > 0', 'optional entries of maps'],
    ['names.sortBy(x, x.size())[0] == "a"', 'sortBy'],
  ])('that needs an unsupported CEL feature is reported with it: %s', (source, unsupportedFeature) => {
    expect(compile(source)).toEqual({ unsupportedFeature });
  });
});

test('findUnsupportedFeature returns undefined if this server supports all used features', () => {
  expect(findUnsupportedFeature('n > 1 ? nothing : other')).toBeUndefined();
  expect(findUnsupportedFeature('any.?x.orValue(1) > 0')).toBeUndefined();
});

test.each([
  ['n > 1', 'bool', true],
  ['any', 'bool', true],
  ['any', 'string', true],
  ['n', 'bool', false],
  ['"a"', 'string', true],
  ['"a"', 'bool', false],
] as const)('mayHaveType(%s, %s) is %s', (source, type, expected) => {
  const { program } = compile(source);
  expect(program && mayHaveType(program, type)).toBe(expected);
});

test.each([
  ["any + 'a'", 1n, 'no such overload'],
  ["any + 'a'", new Map(), 'no such overload: _+_'],
  ['any - 1', true, 'no such overload: _-_'],
  ['any % 2', 1.5, 'no such overload: _%_'],
  ['any >= 2', null, 'no such overload: _>=_'],
  ['any < 2', 'a', 'no such overload'],
  ['-any', [1n], 'no such overload: -_'],
  ['!any', 1n, 'no such overload'],
  ['any.size()', 1n, 'no such overload: size'],
  ['size(any)', true, 'no such overload: size'],
  ['any && true', 1n, 'no such overload'],
  ['any ? 1 : 2', 'a', 'no such overload'],
  ['any.x', new Map(), 'no such key: x'],
])('the evaluation of %s fails for %s with the message of cel-go', (source, any, expected) => {
  const evaluate = (): unknown =>
    compile(source).program?.evaluate({ any }, { meter: { remaining: 1000 }, costOf: () => 1, exhaustedMessage: '' });
  expect(evaluate).toThrow();
  expect(messageOf(evaluate)).toBe(expected);
});

function messageOf(evaluate: () => unknown): string | undefined {
  try {
    evaluate();
    return undefined;
  } catch (error) {
    return describeEvaluationError(error);
  }
}
