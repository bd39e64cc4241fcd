import type { Node } from 'kube-endpoints/types';
import { describe, expect, it, test } from 'vitest';
import { chooseFamily, createNodeHints, createProxyNode, type RuleFlags } from '../../src/report/proxy-objects.ts';

const n1 = {
  metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'a' } },
  spec: { podCIDR: '10.1.1.0/24', podCIDRs: ['10.1.1.0/24', 'fd00:1::/64'] },
  status: {
    addresses: [
      { type: 'Hostname', address: 'n1' },
      { type: 'ExternalIP', address: '203.0.113.1' },
      { type: 'InternalIP', address: '192.168.000.001' },
      { type: 'InternalIP', address: 'fd00::1' },
    ],
  },
} as Node;

const flags: RuleFlags = { node: 'n1', mode: 'iptables', masqueradeAll: false, masqueradeBit: 14, localhostNodePorts: true };

describe('the proxy node', () => {
  it('takes its settings from the Node object', () => {
    expect(createProxyNode({ nodes: [n1] }, flags)).toMatchObject({
      name: 'n1',
      labels: { 'topology.kubernetes.io/zone': 'a' },
      addresses: ['192.168.0.1', 'fd00::1', '203.0.113.1'],
      podCIDRs: ['10.1.1.0/24', 'fd00:1::/64'],
      nodePortAddresses: [],
      localhostNodePorts: true,
      randomFully: true,
    });
  });

  it('prefers the settings of flags', () => {
    const customFlags = {
      ...flags,
      clusterCidr: ['10.0.0.0/8'],
      serviceCidr: ['10.96.0.0/16'],
      nodePortAddresses: ['127.0.0.0/8'],
      masqueradeBit: 3,
    };
    expect(createProxyNode({ nodes: [n1] }, customFlags)).toMatchObject({
      podCIDRs: ['10.0.0.0/8'],
      serviceCIDRs: ['10.96.0.0/16'],
      nodePortAddresses: ['127.0.0.0/8'],
      masqueradeBit: 3,
    });
  });

  it('serves node ports on the primary address by default with nftables, as kube-proxy does', () => {
    expect(createProxyNode({ nodes: [n1] }, { ...flags, mode: 'nftables' }).nodePortAddresses).toEqual(['primary']);
  });

  it('uses podCIDR if podCIDRs is not set', () => {
    const withoutPodCIDRs = { ...n1, spec: { podCIDR: '10.1.1.0/24' } } as Node;
    expect(createProxyNode({ nodes: [withoutPodCIDRs] }, flags).podCIDRs).toEqual(['10.1.1.0/24']);
  });

  it('has only a name if the input holds no Nodes', () => {
    expect(createProxyNode({ nodes: undefined }, flags)).toMatchObject({ name: 'n1', addresses: [], podCIDRs: [] });
    expect(createNodeHints({ nodes: undefined })).toHaveLength(1);
    expect(createNodeHints({ nodes: [n1] })).toEqual([]);
  });
});

test('the error for a missing node lists existing ones', () => {
  const many = Array.from({ length: 12 }, (_, i) => ({ metadata: { name: `m${i}` } }));
  expect(() => createProxyNode({ nodes: many }, flags)).toThrow(
    'no Node "n1" in the input: there are m0, m1, m10, m11, m2, m3, m4, m5 and 4 more',
  );
  expect(() => createProxyNode({ nodes: many.slice(0, 1) }, flags)).toThrow('there is m0');
  expect(() => createProxyNode({ nodes: [] }, flags)).toThrow('there are none');
});

test('the IP family is that of the first node address, or IPv4 without addresses, unless a flag sets it', () => {
  const familyOf = (addresses: readonly string[]) => chooseFamily({ name: 'n1', addresses }, flags);
  expect([familyOf([]), familyOf(['192.168.0.1', 'fd00::1']), familyOf(['fd00::1', '192.168.0.1'])]).toEqual(['IPv4', 'IPv4', 'IPv6']);
  expect(chooseFamily({ name: 'n1', addresses: ['192.168.0.1'] }, { ...flags, family: 'IPv6' })).toBe('IPv6');
});
