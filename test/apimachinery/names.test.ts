import { expect, test } from 'vitest';
import { isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength } from '../../src/apimachinery/index.ts';

const validateWithAll = (text: string) =>
  [isDNS1123Label, isDNS1123Subdomain, isLabelOfAnyLength, isSubdomainOfAnyLength].map((isValid) => isValid(text));
const allValid = [true, true, true, true];
const noneValid = [false, false, false, false];

test.each([
  ['a', allValid],
  ['0', allValid],
  ['a-b--1', allValid],
  ['a'.repeat(63), allValid],
  ['a.b-c.1', [false, true, false, true]],
  ['a'.repeat(64), [false, true, true, true]],
  ['a'.repeat(253), [false, true, true, true]],
  [`${'a.'.repeat(126)}b`, [false, true, false, true]],
  ['a'.repeat(254), [false, false, true, true]],
  [`${'a.'.repeat(127)}b`, [false, false, false, true]],
  ['', noneValid],
  ['-a', noneValid],
  ['a-', noneValid],
  ['A', noneValid],
  ['a_b', noneValid],
  ['a..b', noneValid],
  ['.a', noneValid],
  ['a.', noneValid],
  ['a\n', noneValid],
  ['ä', noneValid],
  ['a.-b', noneValid],
])('validates %j as a label and a subdomain, then both without the length limit', (text, expected) =>
  expect(validateWithAll(text)).toEqual(expected),
);
