import { expect, test } from 'vitest';
import { matcherOfLabels } from '../../../src/apimachinery/labels/match.ts';
import { parseLabelSelector } from '../../../src/apimachinery/labels/parse.ts';

const matches = (text: string, labels: Readonly<Record<string, string>>): boolean => {
  const parsed = parseLabelSelector(text);
  if (parsed.problem !== undefined) throw new Error(parsed.problem);
  return matcherOfLabels(parsed.requirements)(labels);
};

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
])('%j of %j: %s', (text, labels, expected) => expect(matches(text, labels)).toBe(expected));
