import { expect, test } from 'vitest';
import { cannotUnmarshal, undecodable } from '../../src/patch/field-validation.ts';

test.each([
  [[], 'array'],
  [{}, 'object'],
  [true, 'bool'],
  [1, 'number'],
  ['a', 'string'],
])('%j cannot be unmarshalled as the %s that it is', (value, type) => {
  expect(cannotUnmarshal(value, 'value of type x')).toBe(`json: cannot unmarshal ${type} into Go value of type x`);
});

test('what is said depends on which decoder looks first', () => {
  expect(undecodable('Ignore', 'strict', 'loose').message).toBe('loose');
  expect(undecodable('Warn', 'strict', 'loose').message).toBe('error decoding patch: strict');
  expect(undecodable('Strict', 'strict', 'loose').code).toBe(400);
});
