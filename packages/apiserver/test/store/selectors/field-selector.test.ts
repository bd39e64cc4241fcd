import { expect, test } from 'vitest';
import { parseFieldSelector } from '../../../src/store/selectors/field-selector.ts';

test.each([
  ['', []],
  [',,', []],
  ['=', []],
  ['a=b', [['a', true, 'b']]],
  ['a==b', [['a', true, 'b']]],
  ['a!=b', [['a', false, 'b']]],
  [
    'b=2,a=1',
    [
      ['a', true, '1'],
      ['b', true, '2'],
    ],
  ],
  ['a=', [['a', true, '']]],
  ['=a', [['', true, 'a']]],
  ['a=x\\,y\\=z\\\\', [['a', true, 'x,y=z\\']]],
  [' a = b ', [[' a ', true, ' b ']]],
])('parseFieldSelector reads %j', (text, expected) =>
  expect(parseFieldSelector(text)).toEqual({ requirements: expected.map(([field, equal, value]) => ({ field, equal, value })) }),
);

test.each([
  ['a', "invalid selector: 'a'; can't understand 'a'"],
  ['b,a=1', "invalid selector: 'b,a=1'; can't understand 'b'"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
  ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
])('parseFieldSelector refuses %j', (text, problem) => expect(parseFieldSelector(text)).toEqual({ problem }));
