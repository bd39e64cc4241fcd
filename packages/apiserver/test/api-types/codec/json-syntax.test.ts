import { expect, test } from 'vitest';
import { jsonSyntaxProblem } from '../../../src/api-types/codec/json-syntax.ts';

test.each(['{}', ' [1, -0.5e+3, "a\\u00e9", null, true, false, {"a": []}] ', '0', '""'])('jsonSyntaxProblem accepts %s', (text) => {
  expect(jsonSyntaxProblem(text)).toBeUndefined();
});

test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['01', "invalid character '1' after top-level value"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"\n"', "invalid character '\\n' in string literal"],
  ["'", "invalid character '\\'' looking for beginning of value"],
])('jsonSyntaxProblem refuses %j', (text, problem) => expect(jsonSyntaxProblem(text)).toBe(problem));

test('jsonSyntaxProblem handles deep nesting', () => {
  expect(jsonSyntaxProblem('['.repeat(100_000))).toBe('unexpected end of JSON input');
  expect(jsonSyntaxProblem(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeUndefined();
});
