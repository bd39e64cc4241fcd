import { expect, test } from 'vitest';
import { isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength } from '../../src/apimachinery/index.ts';

const validate = (text: string) =>
  [isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength].map((isValid) => isValid(text));
const valid = [true, true, true, true];
const invalid = [false, false, false, false];

test.each([
  ['a', valid],
  ['0', valid],
  ['a-b--1', valid],
  ['a'.repeat(63), valid],
  ['a.b-c.1', [false, true, false, true]],
  ['a'.repeat(64), [false, true, true, true]],
  ['a'.repeat(253), [false, true, true, true]],
  [`${'a.'.repeat(126)}b`, [false, true, false, true]],
  ['a'.repeat(254), [false, false, true, true]],
  [`${'a.'.repeat(127)}b`, [false, false, false, true]],
  ['', invalid],
  ['-a', invalid],
  ['a-', invalid],
  ['A', invalid],
  ['a_b', invalid],
  ['a..b', invalid],
  ['.a', invalid],
  ['a.', invalid],
  ['a\n', invalid],
  ['ä', invalid],
  ['a.-b', invalid],
])('validates %j as label and subdomain', (text, expected) => expect(validate(text)).toEqual(expected));
