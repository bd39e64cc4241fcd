import { describe, expect, test } from 'vitest';
import { parseInteger, parseLabelSelector } from '../../../src/apimachinery/labels/parse.ts';

const valid = (text: string) => parseLabelSelector(text);

describe('requirements', () => {
  test.each([
    ['', []],
    [' ', []],
    ['a', [['a', 'exists', []]]],
    ['!a', [['a', '!', []]]],
    ['a=b', [['a', '=', ['b']]]],
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
  ])('%j', (text, expected) =>
    expect(valid(text)).toEqual({ requirements: expected.map(([key, operator, values]) => ({ key, operator, values })) }),
  );
});

describe('what is no selector', () => {
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
    ['a>x', `${requirement}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
  ])('%j', (text, problem) => expect(valid(text)).toEqual({ problem }));

  test('a key or value that is none', () => {
    expect(valid('-a').problem).toMatch(/^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of /);
    expect(valid('a=-b').problem).toMatch(/^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label must be /);
    expect(valid('a in (-b,-c)').problem).toMatch(/^unable to parse requirement: \[values\[0\]\[a\]: .*, values\[1\]\[a\]: .*\]$/);
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
])('%j as a whole number', (text, value) => expect(parseInteger(text)).toBe(value));
