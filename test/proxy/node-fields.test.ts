import { describe, expect, it } from 'vitest';
import type { ProxyNode } from '../../src/proxy/index.ts';
import {
  cidrsOfFamily,
  findPrimaryAddress,
  isLoopback,
  markOf,
  readNodeAddresses,
  readNodePortRanges,
  readNodeRange,
} from '../../src/proxy/node-fields.ts';

const node = (more: Partial<ProxyNode> = {}): ProxyNode => ({ name: 'n1', addresses: ['192.168.0.2', 'FD00::2', '10.0.0.2'], ...more });

describe('fields of a node', () => {
  it('readNodeAddresses returns the canonical addresses of a family, in order', () => {
    expect([readNodeAddresses(node(), 'IPv4'), readNodeAddresses(node(), 'IPv6')]).toEqual([['192.168.0.2', '10.0.0.2'], ['fd00::2']]);
    expect(() => readNodeAddresses(node({ addresses: ['n1'] }), 'IPv4')).toThrow(
      'node.addresses: "n1" is not an IP address such as "192.168.0.2"',
    );
    const withoutAddresses: Partial<ProxyNode> = { name: 'n1' };
    expect(() => readNodeAddresses(withoutAddresses as ProxyNode, 'IPv4')).toThrow(
      new RangeError('node.addresses: give the addresses of the node, such as ["192.168.0.2"]'),
    );
  });

  it('cidrsOfFamily returns the CIDRs of a family, as written', () => {
    expect(cidrsOfFamily(['fd00::/64', '10.0.0.1/8', '172.16.0.0/12'], 'podCIDRs', 'IPv4')).toEqual(['10.0.0.1/8', '172.16.0.0/12']);
    expect(cidrsOfFamily(undefined, 'podCIDRs', 'IPv4')).toEqual([]);
    expect(() => readNodeRange('10.0.0.0', 'podCIDRs')).toThrow('node.podCIDRs: "10.0.0.0" is not a CIDR');
  });

  it('readNodePortRanges returns the configured ranges; undefined means all addresses', () => {
    const ranges = (addresses: readonly string[], ...nodePortAddresses: string[]) =>
      readNodePortRanges(node({ addresses, nodePortAddresses }), 'IPv4')?.map(({ text }) => text);
    expect(ranges([], '10.0.0.1/8', 'fd00::/8', '10.2.0.0/16')).toEqual(['10.0.0.0/8', '10.2.0.0/16']);
    expect([ranges([]), ranges([], 'fd00::/8'), ranges([], '10.0.0.0/8', '0.0.0.0/0')]).toEqual([undefined, undefined, undefined]);
    expect(ranges(['fd00::2', '192.168.0.2', '10.0.0.2'], 'primary')).toEqual(['192.168.0.2/32']);
    expect([ranges(['fd00::2'], 'primary'), ranges(['127.0.0.1'], 'primary')]).toEqual([undefined, undefined]);
    expect(() => ranges([], 'primary', '10.0.0.0/8')).toThrow('node.nodePortAddresses: "primary" is not a CIDR');
  });

  it('findPrimaryAddress returns the first address of the family, else a loopback address', () => {
    expect([findPrimaryAddress(node(), 'IPv4'), findPrimaryAddress(node(), 'IPv6')]).toEqual(['192.168.0.2', 'fd00::2']);
    expect([findPrimaryAddress(node({ addresses: [] }), 'IPv4'), findPrimaryAddress(node({ addresses: [] }), 'IPv6')]).toEqual([
      '127.0.0.1',
      '::1',
    ]);
  });

  it('markOf returns the mark of the masquerade bit, which is 14 by default', () => {
    expect([markOf(node()), markOf(node({ masqueradeBit: 0 }))]).toEqual(['0x00004000', '0x00000001']);
    expect(() => markOf(node({ masqueradeBit: 32 }))).toThrow('node.masqueradeBit: give a whole number from 0 to 31, not 32');
  });

  it('isLoopback recognizes loopback addresses', () => {
    expect(['127.0.0.1', '::1', '10.0.0.1'].map(isLoopback)).toEqual([true, true, false]);
  });
});
