import { describe, expect, test } from 'vitest';
import { createRequirementsMatcher, parseInteger, parseLabelSelector } from '../../src/apimachinery/index.ts';

const parse = (text: string) => parseLabelSelector(text);

describe('parseLabelSelector: valid selectors', () => {
  test.each([
    ['', []],
    [' ', []],
    ['a', [['a', 'exists', []]]],
    ['!a', [['a', '!', []]]],
    ['a=b', [['a', '=', ['b']]]],
    ['\ta\r\n=\tb', [['a', '=', ['b']]]],
    // Upstream's lexer takes NUL for the end of the input: the first one only ends the key, the second one ends the selector.
    ['a\u0000\u0000b', [['a', 'exists', []]]],
    ['a==b', [['a', '==', ['b']]]],
    ['a!=b', [['a', '!=', ['b']]]],
    ['a=', [['a', '=', ['']]]],
    [
      'a=,b',
      [
        ['a', '=', ['']],
        ['b', 'exists', []],
      ],
    ],
    [
      'a>1,b<2',
      [
        ['a', 'gt', ['1']],
        ['b', 'lt', ['2']],
      ],
    ],
    ['a in (c,b,c)', [['a', 'in', ['b', 'c']]]],
    ['a notin ()', [['a', 'notin', ['']]]],
    ['a in (,)', [['a', 'in', ['']]]],
    ['a in (b,)', [['a', 'in', ['', 'b']]]],
    ['a in (b,,c)', [['a', 'in', ['', 'b', 'c']]]],
    ['in in (in,notin)', [['in', 'in', ['in', 'notin']]]],
    ['notin=in', [['notin', '=', ['in']]]],
  ])('reads %j', (text, expected) =>
    expect(parse(text)).toEqual({ requirements: expected.map(([key, operator, values]) => ({ key, operator, values })) }),
  );
});

describe('parseLabelSelector: invalid selectors', () => {
  const requirement = 'unable to parse requirement: ';
  const operators = ', expected: in, notin, =, ==, !=, gt, lt';
  test.each([
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a b', `${requirement}found 'b'${operators}`],
    ['a,', "found '', expected: identifier after ','"],
    ['a,=', "found '=', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', `${requirement}found '', expected: identifier`],
    ['!!a', `${requirement}found '!', expected: identifier`],
    ['a=(', `${requirement}found '(', expected: identifier`],
    ['a in', `${requirement}found '' expected: '('`],
    ['a in b', `${requirement}found 'b' expected: '('`],
    ['a in (', `${requirement}found '', expected: ',', ')' or identifier`],
    ['a in (b', `${requirement}found '', expected: ',' or ')'`],
    ['a in (b,', `${requirement}found '', expected: ',', or identifier`],
    ['a!', `${requirement}found '!'${operators}`],
    ['a===b', `${requirement}found '=', expected: identifier`],
    ['!!=', `${requirement}found '!=', expected: identifier`],
    ['a\u0000b\u0000\u0000c', `${requirement}found 'b'${operators}`],
    ['a>x', `${requirement}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
  ])('explains why %j is invalid', (text, problem) => expect(parse(text)).toEqual({ problem }));

  test('explains an invalid key or value', () => {
    expect(parse('-a').problem).toMatch(/^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of /);
    expect(parse('a=\u00a0b').problem).toContain('values[0][a]: Invalid value: "\\u00a0b"');
    expect(parse('a=-b').problem).toMatch(/^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label must be /);
    expect(parse('a in (-b,-c)').problem).toMatch(/^unable to parse requirement: \[values\[0\]\[a\]: .*, values\[1\]\[a\]: .*\]$/);
  });
});

test.each([
  ['1', 1n],
  ['+1', 1n],
  ['-1', -1n],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  ['', undefined],
  ['1.0', undefined],
])('parseInteger reads %j', (text, value) => expect(parseInteger(text)).toBe(value));

const matches = (text: string, labels: Readonly<Record<string, string>>): boolean => {
  const parsed = parseLabelSelector(text);
  if (parsed.problem !== undefined) throw new Error(parsed.problem);
  return createRequirementsMatcher(parsed.requirements)(labels);
};

describe('createRequirementsMatcher', () => {
  test.each([
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a==b', {}, false],
    ['a=', {}, false],
    ['a=', { a: '' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in (b,c)', {}, false],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '' }, false],
    ['a>1', { a: '2' }, true],
    ['a>1', { a: '1' }, false],
    ['a<9223372036854775807', { a: '9223372036854775806' }, true],
    ['a<1', { a: 'x' }, false],
    ['a<1', {}, false],
    ['a=b,c', { a: 'b' }, false],
    ['a=b,c', { a: 'b', c: '' }, true],
    ['constructor', {}, false],
    ['toString!=x', {}, true],
  ])('returns for the selector %j and the labels %j: %s', (text, labels, expected) => expect(matches(text, labels)).toBe(expected));
});
