import { describe, expect, it, test } from 'vitest';
import type { ProxyNode } from '../../../src/proxy/index.ts';
import { readSettings, type Settings } from '../../../src/proxy/iptables/settings.ts';

const node: ProxyNode = { name: 'n1', addresses: ['192.168.0.1', 'fd00::1', '10.20.0.1'] };
const settings = (nodeOptions: Partial<ProxyNode> = {}, family: 'IPv4' | 'IPv6' = 'IPv4'): Settings =>
  readSettings({ ...node, ...nodeOptions }, family);

it('readSettings selects the values of the family', () => {
  const otherCIDRs = { podCIDRs: ['fd00:10::/64', '10.0.0.0/8', '11.0.0.0/8'] };
  expect(settings(otherCIDRs)).toMatchObject({ nodeIP: '192.168.0.1', podCIDR: '10.0.0.0/8', mark: '0x00004000', masqueradeAll: false });
  expect(settings(otherCIDRs, 'IPv6')).toMatchObject({ nodeIP: 'fd00::1', podCIDR: 'fd00:10::/64' });
  expect(settings({ podCIDRs: ['fd00:10::/64'], addresses: [] })).toMatchObject({ nodeIP: '127.0.0.1', podCIDR: undefined });
  expect(settings({ addresses: ['192.168.0.1'] }, 'IPv6').nodeIP).toBe('::1');
});

test.each([
  [0, '0x00000001'],
  [14, '0x00004000'],
  [31, '0x80000000'],
])('masquerade bit %i has the mark %s', (masqueradeBit, mark) => {
  expect(settings({ masqueradeBit }).mark).toBe(mark);
});

describe('nodePortMatches covers', () => {
  const local = '-m addrtype --dst-type LOCAL';
  test.each<[string, Partial<ProxyNode>, 'IPv4' | 'IPv6', readonly string[]]>([
    ['all addresses but loopback', {}, 'IPv4', [`${local} ! -d 127.0.0.0/8`]],
    ['all addresses', { localhostNodePorts: true }, 'IPv4', [local]],
    ['all addresses but loopback for IPv6, even with localhostNodePorts', { localhostNodePorts: true }, 'IPv6', [`${local} ! -d ::1/128`]],
    [
      'the addresses of the node that lie in the ranges',
      { nodePortAddresses: ['192.168.0.0/16', '10.0.0.0/8'] },
      'IPv4',
      ['-d 10.20.0.1', '-d 192.168.0.1'],
    ],
    ['no address', { nodePortAddresses: ['172.16.0.0/12'] }, 'IPv4', []],
    ['all addresses if the ranges belong to the other family', { nodePortAddresses: ['10.0.0.0/8'] }, 'IPv6', [`${local} ! -d ::1/128`]],
    ['all addresses if a range contains all', { nodePortAddresses: ['10.0.0.0/8', '0.0.0.0/0'] }, 'IPv4', [`${local} ! -d 127.0.0.0/8`]],
    ['the primary address', { nodePortAddresses: ['primary'] }, 'IPv4', ['-d 192.168.0.1']],
    ['the primary address of IPv6', { nodePortAddresses: ['primary'] }, 'IPv6', ['-d fd00::1']],
    [
      'all addresses if the family has no primary address',
      { nodePortAddresses: ['primary'], addresses: ['fd00::1'] },
      'IPv4',
      [`${local} ! -d 127.0.0.0/8`],
    ],
    [
      'all addresses if the primary address is a loopback address',
      { nodePortAddresses: ['primary'], addresses: ['127.0.0.1', '10.0.0.1'] },
      'IPv4',
      [`${local} ! -d 127.0.0.0/8`],
    ],
    ['no loopback address by default, even if a range contains it', { nodePortAddresses: ['127.0.0.0/8'] }, 'IPv4', []],
    [
      'loopback addresses with localhostNodePorts',
      { nodePortAddresses: ['127.0.0.0/8'], localhostNodePorts: true },
      'IPv4',
      ['-d 127.0.0.1'],
    ],
    [
      'no loopback address outside the ranges, even with localhostNodePorts',
      { nodePortAddresses: ['10.0.0.0/8'], localhostNodePorts: true },
      'IPv4',
      ['-d 10.20.0.1'],
    ],
  ])('%s', (_, nodeOptions, family, matches) => {
    expect(settings(nodeOptions, family).nodePortMatches).toEqual(matches);
  });
});

test.each<[Partial<ProxyNode>, string]>([
  [{ addresses: ['invalid'] }, 'node.addresses: "invalid" is not an IP address'],
  [{ podCIDRs: ['10.0.0.0'] }, 'node.podCIDRs: "10.0.0.0" is not a CIDR'],
  [{ podCIDRs: ['10.0.0.0/33'] }, 'node.podCIDRs: "10.0.0.0/33" is not a CIDR'],
  [{ nodePortAddresses: ['eth0'] }, 'node.nodePortAddresses: "eth0" is not a CIDR'],
  [{ masqueradeBit: 32 }, 'node.masqueradeBit: give a whole number from 0 to 31, not 32'],
  [{ masqueradeBit: 1.5 }, 'node.masqueradeBit: give a whole number from 0 to 31, not 1.5'],
])('readSettings refuses %o', (nodeOptions, message) => {
  expect(() => settings(nodeOptions)).toThrow(RangeError);
  expect(() => settings(nodeOptions)).toThrow(message);
});
