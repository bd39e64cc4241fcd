import { describe, expect, it } from 'vitest';
import type { ProxyNode } from '../../../src/proxy/index.ts';
import { readNftablesSettings } from '../../../src/proxy/nftables/settings.ts';

const settingsWith = (nodeFields: Partial<ProxyNode>, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  readNftablesSettings({ name: 'n1', addresses: ['fd00::1', '192.168.0.1', '192.168.0.2', '127.0.0.1'], ...nodeFields }, family);

describe('readNftablesSettings', () => {
  it('selects the values of the family', () => {
    const node = {
      podCIDRs: ['fd00:10::/64', '10.0.0.0/8', '11.0.0.0/8'],
      serviceCIDRs: ['10.96.0.0/16', 'fd00:96::/112', '10.97.0.0/16'],
    };
    expect(settingsWith(node)).toMatchObject({
      ip: 'ip',
      addressType: 'ipv4_addr',
      nodeIP: '192.168.0.1',
      fromPods: 'ip saddr 10.0.0.0/8',
      notFromPods: 'ip saddr != 10.0.0.0/8',
      serviceCIDRs: '10.96.0.0/16,10.97.0.0/16',
    });
    expect(settingsWith(node, 'IPv6')).toMatchObject({
      ip: 'ip6',
      addressType: 'ipv6_addr',
      nodeIP: 'fd00::1',
      fromPods: 'ip6 saddr fd00:10::/64',
      serviceCIDRs: 'fd00:96::/112',
    });
  });

  it('applies the defaults of kube-proxy', () => {
    expect(settingsWith({ addresses: [] })).toMatchObject({
      masqueradeAll: false,
      mark: '0x00004000',
      fromPods: undefined,
      notFromPods: undefined,
      serviceCIDRs: '',
      nodePortIPs: undefined,
      nodeIP: '127.0.0.1',
    });
    expect(settingsWith({ addresses: ['192.168.0.1'] }, 'IPv6').nodeIP).toBe('::1');
    expect(settingsWith({ masqueradeBit: 31 }).mark).toBe('0x80000000');
  });

  it('contains the addresses for node ports, without loopback', () => {
    const nodePortIPs = (...nodePortAddresses: string[]) => settingsWith({ nodePortAddresses }).nodePortIPs;
    expect(nodePortIPs('192.168.0.0/24', '127.0.0.0/8', '192.168.0.2/32')).toEqual(['192.168.0.1', '192.168.0.2']);
    expect(nodePortIPs('primary')).toEqual(['192.168.0.1']);
    expect(nodePortIPs('172.16.0.0/12')).toEqual([]);
    expect(nodePortIPs('192.168.0.0/24', '0.0.0.0/0')).toBeUndefined();
    expect(nodePortIPs('fd00::/64')).toBeUndefined();
  });

  it('serves node ports at all addresses if the family has no primary address', () => {
    const nodePortIPs = (addresses: readonly string[]) => settingsWith({ addresses, nodePortAddresses: ['primary'] }, 'IPv6').nodePortIPs;
    expect(nodePortIPs(['192.168.0.1', 'fd00::2'])).toEqual(['fd00::2']);
    expect(nodePortIPs(['192.168.0.1'])).toBeUndefined();
    expect(nodePortIPs(['::1', 'fd00::2'])).toBeUndefined();
  });

  it.each<[Partial<ProxyNode>, string]>([
    [{ addresses: ['n1'] }, 'node.addresses: "n1" is not an IP address such as "192.168.0.2"'],
    [{ podCIDRs: ['10.0.0.0'] }, 'node.podCIDRs: "10.0.0.0" is not a CIDR such as "10.0.0.0/8" or "fd00::/64"'],
    [{ serviceCIDRs: ['} drop'] }, 'node.serviceCIDRs: "} drop" is not a CIDR'],
    [{ nodePortAddresses: ['primary', '10.0.0.0/8'] }, 'node.nodePortAddresses: "primary" is not a CIDR'],
    [{ masqueradeBit: 32 }, 'node.masqueradeBit: give a whole number from 0 to 31, not 32'],
  ])('refuses %j', (nodeFields, message) => {
    expect(() => settingsWith(nodeFields)).toThrow(RangeError);
    expect(() => settingsWith(nodeFields)).toThrow(message);
  });
});
