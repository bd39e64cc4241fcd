import { expect, test } from 'vitest';
import { isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength } from '../../src/apimachinery/index.ts';

const answers = (text: string) => [isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength].map((is) => is(text));
const both = [true, true, true, true];
const neither = [false, false, false, false];

test.each([
  ['a', both],
  ['0', both],
  ['a-b--1', both],
  ['a'.repeat(63), both],
  ['a.b-c.1', [false, true, false, true]],
  ['a'.repeat(64), [false, true, true, true]],
  ['a'.repeat(253), [false, true, true, true]],
  [`${'a.'.repeat(126)}b`, [false, true, false, true]],
  ['a'.repeat(254), [false, false, true, true]],
  [`${'a.'.repeat(127)}b`, [false, false, false, true]],
  ['', neither],
  ['-a', neither],
  ['a-', neither],
  ['A', neither],
  ['a_b', neither],
  ['a..b', neither],
  ['.a', neither],
  ['a.', neither],
  ['a\n', neither],
  ['ä', neither],
  ['a.-b', neither],
])('validates %j as label and subdomain', (text, expected) => expect(answers(text)).toEqual(expected));
