import { expect, test } from 'vitest';
import { encodeAddress } from '../../src/packet/address.ts';

test.each<[string, 4 | 16, string]>([
  ['10.0.255.1', 4, '0a00ff01'],
  ['::', 16, '0'.repeat(32)],
  ['::1', 16, `${'0'.repeat(31)}1`],
  ['fd00::a:b', 16, 'fd0000000000000000000000000a000b'],
  ['2001:db8:1:2:3:4:5:6', 16, '20010db8000100020003000400050006'],
  ['1::', 16, `0001${'0'.repeat(28)}`],
  ['::ffff:10.0.0.1', 16, '00000000000000000000ffff0a000001'],
  ['FD00::ABCD', 16, 'fd00000000000000000000000000abcd'],
])('encodeAddress encodes %s', (text, length, hex) => {
  expect(Buffer.from(encodeAddress(text, length)).toString('hex')).toBe(hex);
});

test.each<[string, 4 | 16]>([
  ['', 4],
  ['10.0.0', 4],
  ['10.0.0.256', 4],
  ['10.0.0.0.1', 4],
  ['fd00::1', 4],
  ['10.0.0.1', 16],
  ['1:2:3', 16],
  ['1::2::3', 16],
  ['1:2:3:4:5:6:7:8:9', 16],
  ['1:2:3:4::5:6:7:8', 16],
  ['::12345', 16],
  ['10.0.0.1::', 16],
])('encodeAddress refuses %j as an address of %i bytes', (text, length) => {
  expect(() => encodeAddress(text, length)).toThrow(RangeError);
});
