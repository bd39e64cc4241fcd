import { describe, expect, test } from 'vitest';
import { createAddressList, plainAddress } from '../src/address-list.ts';

describe('a list of addresses and ranges', () => {
  const list = createAddressList(['10.1.0.0/16', '192.0.2.7', 'fd00::/64', '2001:db8::1']);
  test.each([
    ['10.1.255.255', true],
    ['10.2.0.0', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['::ffff:10.1.0.1', true],
    ['fd00::ffff', true],
    ['fd00:0:0:1::', false],
    ['2001:db8::1', true],
    ['', false],
    ['localhost', false],
  ])('%s: %s', (address, expected) => {
    expect(list.has(address)).toBe(expected);
  });

  test('holds nobody where it is empty, everybody where its range is', () => {
    expect(createAddressList([]).has('127.0.0.1')).toBe(false);
    const all = createAddressList(['0.0.0.0/0']);
    expect([all.has('8.8.8.8'), all.has('fd00::1')]).toEqual([true, false]);
  });

  test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', 'fe80::1%eth0', '10.0.0/8', '*'])(
    '%j is neither',
    (text) => {
      expect(() => createAddressList([text])).toThrow(`${JSON.stringify(text)} is no address and no range: give such as "10.0.0.1"`);
    },
  );
});

test.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['fd00::1', 'fd00::1'],
])('%s is %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});
