import { describe, expect, it } from 'vitest';
import { createCluster } from '../../src/trace/cluster.ts';
import { addressesOfPod, findDestination, findNode, roleOf, selectPrimaryAddress } from '../../src/trace/destination.ts';
import { makeCluster, makePod, makeService, nodes } from './shop.ts';

const web = makeService(
  'web',
  { type: 'LoadBalancer', externalIPs: ['203.0.113.1'], ports: [{ port: 80, nodePort: 30080 }], clusterIPs: ['10.96.0.10', 'fd00:0::10'] },
  {
    status: {
      loadBalancer: { ingress: [{ hostname: 'x' }, { ip: '198.51.100.1', ipMode: 'VIP' }, { ip: '203.0.113.9', ipMode: 'Proxy' }] },
    },
  },
);
const pods = [makePod('web-1', 1), makePod('done', 2, { status: { phase: 'Succeeded' } })];
const nodeWithIPv6 = { metadata: { name: 'n4' }, status: { addresses: [{ type: 'InternalIP', address: 'FD00::0001:2' }] } };
const cluster = createCluster(makeCluster([web], pods, { nodes: [...nodes, nodeWithIPv6] }), {});
const kindOrRole = (address: string, port?: string) => {
  const destination = findDestination(address, port === undefined ? {} : { port }, cluster);
  return destination.kind === 'service' ? destination.role : destination.kind;
};

describe('findDestination', () => {
  it.each([
    ['10.96.0.10', undefined, 'cluster'],
    ['fd00::10', undefined, 'cluster'],
    ['203.0.113.1', undefined, 'external'],
    ['198.51.100.1', undefined, 'loadBalancer'],
    ['192.168.0.2', '30080', 'nodePort'],
    ['fd00::1:2', '30080', 'nodePort'],
    ['203.0.113.9', '80', 'outside'],
    ['192.168.0.2', '80', 'unknown'],
    ['192.168.0.2', undefined, 'unknown'],
    ['10.1.0.1', '8080', 'pod'],
    ['10.1.0.2', undefined, 'unknown'],
    ['10.1.0.7', undefined, 'unknown'],
  ])('resolves %s:%s to %s', (address, port, kind) => {
    expect(kindOrRole(address, port)).toBe(kind);
  });
});

it('findDestination selects the Service that offers the port if several share an address or node port number', () => {
  const makeSharingService = (name: string, clusterIP: string, more: object, ports: readonly object[]) =>
    makeService(name, { type: 'LoadBalancer', clusterIP, externalIPs: ['203.0.113.1', 'fd00::7'], ports, ...more } as object);
  const services = [
    makeSharingService('web', '10.96.0.11', {}, [{ name: 'http', port: 80, nodePort: 30080 }]),
    makeSharingService('dns', '10.96.0.12', { externalIPs: ['203.0.113.1', '192.168.0.1'] }, [
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'http', port: 80, protocol: 'UDP', nodePort: 30080 },
    ]),
    makeSharingService('api', 'None', {}, [{ name: 'http', port: 80 }]),
    makeSharingService('six', 'fd00::96:1', { ipFamilies: ['IPv6'] }, [{ name: 'six', port: 80 }]),
  ];
  const sharingCluster = createCluster(makeCluster(services, [], { nodes }), {});
  const ownerOf = (address: string, requested: { port?: string; protocol?: 'TCP' | 'UDP' } = {}) => {
    const destination = findDestination(address, requested, sharingCluster);
    return destination.kind === 'service' ? `${destination.service.metadata?.name} ${destination.role}` : destination.kind;
  };
  expect(ownerOf('203.0.113.1', { port: '53' })).toBe('dns external');
  expect(ownerOf('203.0.113.1', { port: 'dns' })).toBe('dns external');
  expect(ownerOf('203.0.113.1', { port: '80' })).toBe('web external');
  expect(ownerOf('203.0.113.1', { port: '80', protocol: 'UDP' })).toBe('dns external');
  expect(ownerOf('203.0.113.1', { port: '443' })).toBe('dns external');
  expect(ownerOf('203.0.113.1')).toBe('dns external');
  expect(ownerOf('fd00::7', { port: '80' })).toBe('six external');
  expect(ownerOf('192.168.0.1', { port: '80' })).toBe('dns external');
  expect(ownerOf('192.168.0.1', { port: '30080' })).toBe('web nodePort');
  expect(ownerOf('192.168.0.1', { port: '30080', protocol: 'UDP' })).toBe('dns nodePort');
  expect(ownerOf('192.168.0.2', { port: '30080' })).toBe('web nodePort');
  expect(ownerOf('192.168.0.2', { port: '30053', protocol: 'UDP' })).toBe('unknown');
  expect(ownerOf('192.168.0.2', { port: 'http' })).toBe('unknown');
});

it('roleOf ignores the addresses of an ExternalName Service', () => {
  expect(roleOf('10.96.0.10', makeService('web', { type: 'ExternalName' }))).toBeUndefined();
});

it("selectPrimaryAddress returns the address of the Service's first family", () => {
  const addresses = ['10.96.0.10', 'fd00::10'];
  expect(selectPrimaryAddress(addresses, makeService('web', { ipFamilies: ['IPv6', 'IPv4'] }))).toBe('fd00::10');
  expect(selectPrimaryAddress(addresses, makeService('web', { ipFamilies: [], clusterIPs: ['fd00::1'] }))).toBe('fd00::10');
  expect(selectPrimaryAddress(addresses, makeService('web', { ipFamilies: null, clusterIP: 'None', clusterIPs: null }))).toBe('10.96.0.10');
  expect(selectPrimaryAddress([], makeService('web'))).toBeUndefined();
});

it('addressesOfPod leaves out invalid addresses', () => {
  expect(addressesOfPod({ status: { podIP: '10.1.0.01', podIPs: [{ ip: 'x' }, { ip: 'FD00::1' }, {}] } })).toEqual(['10.1.0.1', 'fd00::1']);
  expect(addressesOfPod({})).toEqual([]);
});

it('findNode finds the node with an address, in any notation', () => {
  expect([findNode('192.168.0.2', cluster), findNode('fd00::1:2', cluster), findNode('192.168.0.9', cluster)]).toEqual([
    'n2',
    'n4',
    undefined,
  ]);
});
