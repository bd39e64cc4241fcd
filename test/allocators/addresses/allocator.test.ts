import { expect, it } from 'vitest';
import {
  canonicalAddress,
  countStaticAddresses,
  firstAddress,
  lastAddress,
  networkAddress,
} from '../../../src/allocators/addresses/allocator.ts';
import { parseCIDR, printIP } from '../../../src/apimachinery/index.ts';

it.each([
  ['10.0.0.7/24', '10.0.0.0', '10.0.0.1', '10.0.0.254'],
  ['10.96.0.0/12', '10.96.0.0', '10.96.0.1', '10.111.255.254'],
  ['fd00::/126', 'fd00::', 'fd00::1', 'fd00::3'],
  ['0.0.0.0/1', '0.0.0.0', '0.0.0.1', '127.255.255.254'],
  ['fd00::/64', 'fd00::', 'fd00::1', 'fd00::ffff:ffff:ffff:ffff'],
])('networkAddress, firstAddress and lastAddress are correct for %s', (text, network, first, last) => {
  const cidr = parseCIDR(text);
  const print = (value: bigint): string => printIP({ family: cidr.family, value });
  expect([networkAddress(cidr), print(firstAddress(cidr)), print(lastAddress(cidr))]).toStrictEqual([network, first, last]);
});

it.each([
  ['10.0.0.0/28', 0],
  ['10.0.0.0/27', 16],
  ['10.0.0.0/24', 16],
  ['10.0.0.0/23', 32],
  ['10.0.0.0/20', 256],
  ['10.0.0.0/8', 256],
  ['fd00::/124', 0],
  ['fd00::/108', 256],
])('countStaticAddresses of %s is %i', (text, count) => {
  expect(countStaticAddresses(parseCIDR(text))).toBe(count);
});

it('canonicalAddress prints addresses in canonical form', () => {
  expect(['FD00::01', '::ffff:10.0.0.1', '010.0.0.1', 'bogus'].map(canonicalAddress)).toStrictEqual([
    'fd00::1',
    '10.0.0.1',
    undefined,
    undefined,
  ]);
});
