import { expect, test } from 'vitest';
import { isLater } from '../src/controllers/leftovers.ts';

test.each([
  ['10', '9', true],
  ['9', '10', false],
  ['9', '9', false],
  ['18446744073709551616', '18446744073709551615', true],
  ['1', '', true],
  ['', '', false],
])('version %s is later than %s: %s', (version, than, later) => {
  expect(isLater(version, than)).toBe(later);
});
