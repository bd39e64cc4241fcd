import { expect, test } from 'vitest';
import { formatRecordType, parseRecordType } from '../../src/packet/types.ts';

test.each([
  ['A', 1],
  ['SRV', 33],
  ['ANY', 255],
  ['TYPE64000', 64_000],
])('the type %s has the code %i, in both directions', (name, code) => {
  expect([parseRecordType(name), formatRecordType(code)]).toEqual([code, name]);
});

test('parseRecordType accepts TYPE with a number even if the type has a name', () => {
  expect(parseRecordType('TYPE1')).toBe(1);
});

test.each(['', 'a', 'TYPE', 'TYPE65536', 'TYPE-1', 'constructor'])('parseRecordType returns undefined for %j', (name) => {
  expect(parseRecordType(name)).toBeUndefined();
});
