import { expect, test } from 'vitest';
import { typeCode, typeName } from '../../src/packet/types.ts';

test.each([
  ['A', 1],
  ['SRV', 33],
  ['ANY', 255],
  ['TYPE64000', 64_000],
])('the type %s has the code %i, in both directions', (name, code) => {
  expect([typeCode(name), typeName(code)]).toEqual([code, name]);
});

test('typeCode accepts TYPE with a number even if the type has a name', () => {
  expect(typeCode('TYPE1')).toBe(1);
});

test.each(['', 'a', 'TYPE', 'TYPE65536', 'TYPE-1', 'constructor'])('typeCode returns undefined for %j', (name) => {
  expect(typeCode(name)).toBeUndefined();
});
