import { expect, test } from 'vitest';
import { isFields } from '../../src/store/fields.ts';

test.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['', false],
  [0, false],
  [() => undefined, false],
])('isFields(%o) is %s', (value, expected) => expect(isFields(value)).toBe(expected));
