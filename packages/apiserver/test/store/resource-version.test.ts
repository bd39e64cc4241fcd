import { expect, test } from 'vitest';
import { canonicalVersion, parseResourceVersion } from '../../src/store/resource-version.ts';

test.each([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  ['7', 7],
  ['007', 7],
  ['9007199254740991', 9007199254740991],
])('%j is %d', (text, value) => expect(parseResourceVersion(text)).toEqual({ value }));

test.each([
  ['abc', 'invalid syntax'],
  ['-1', 'invalid syntax'],
  ['1.5', 'invalid syntax'],
  [' 1', 'invalid syntax'],
  ['18446744073709551616', 'value out of range'],
])('%j is none', (text, why) =>
  expect(parseResourceVersion(text)).toEqual({
    problem: `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": ${why}`,
  }),
);

test('messages show it without leading zeros, and whole', () => {
  expect(canonicalVersion('0018446744073709551615')).toBe('18446744073709551615');
});
