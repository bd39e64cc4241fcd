import { expect, test } from 'vitest';
import { typeCode, typeName } from '../../src/packet/types.ts';

test.each([
  ['A', 1],
  ['SRV', 33],
  ['ANY', 255],
  ['TYPE64000', 64_000],
])('%s is %i, both ways', (name, code) => {
  expect([typeCode(name), typeName(code)]).toEqual([code, name]);
});

test('a number may be written although it has a name', () => {
  expect(typeCode('TYPE1')).toBe(1);
});

test.each(['', 'a', 'TYPE', 'TYPE65536', 'TYPE-1', 'constructor'])('%j is no type', (name) => {
  expect(typeCode(name)).toBeUndefined();
});
