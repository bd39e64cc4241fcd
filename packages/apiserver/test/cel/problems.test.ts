import { describe, expect, test } from 'vitest';
import { createCelHost } from '../../src/cel/environment.ts';
import { missingIn } from '../../src/cel/problems.ts';
import { mayBe, readExpression } from '../../src/cel/read.ts';

const { environment, bounds } = createCelHost();
const scope = environment.clone().registerVariable('n', 'int').registerVariable('names', 'list<string>').registerVariable('any', 'dyn');
const read = (source: string) => readExpression(source, scope, bounds);

describe('an invalid expression', () => {
  test.each([
    [
      'n > nothing',
      "compilation failed: ERROR: <input>:1:5: undeclared reference to 'nothing' (in container '')\n | n > nothing\n | ....^",
    ],
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
  ])('is reported with its position: %s', (source, problem) => {
    expect(read(source)).toEqual({ problem });
  });

  test.each([
    ['[?any.?x].size() > 0', 'optional elements of lists'],
    ['{?"a": any.?x}.size() > 0', 'optional entries of maps'],
    ['names.sortBy(x, x.size())[0] == "a"', 'sortBy'],
    ['authorizer.path("/x").check("get").allowed()', 'authorizer'],
    ['jsonpatch.escapeKey("a") == "a"', 'jsonpatch'],
  ])('is reported with the missing CEL feature: %s', (source, missing) => {
    expect(read(source)).toEqual({ missing });
  });

  test('has no missing feature if this server supports all that it uses', () => {
    expect(missingIn('n > 1 ? nothing : other')).toBeUndefined();
    expect(missingIn('any.?x.orValue(1) > 0')).toBeUndefined();
  });
});

test.each([
  ['n > 1', 'bool', true],
  ['any', 'bool', true],
  ['any', 'string', true],
  ['n', 'bool', false],
  ['"a"', 'string', true],
  ['"a"', 'bool', false],
] as const)('%s may be a %s: %s', (source, type, may) => {
  const { program } = read(source);
  expect(program && mayBe(program, type)).toBe(may);
});
