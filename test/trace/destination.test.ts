import { describe, expect, it } from 'vitest';
import { createCluster } from '../../src/trace/cluster.ts';
import { addressesOfPod, destinationOf, nodeWith, primaryOf, roleOf, roleTexts } from '../../src/trace/destination.ts';
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
const dual = { metadata: { name: 'n4' }, status: { addresses: [{ type: 'InternalIP', address: 'FD00::0001:2' }] } };
const cluster = createCluster(makeCluster([web], pods, { nodes: [...nodes, dual] }), {});
const found = (address: string, port?: string) => {
  const destination = destinationOf(address, port, cluster);
  return destination.kind === 'service' ? destination.role : destination.kind;
};

describe('destinationOf', () => {
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
  ])('%s:%s is %s', (address, port, kind) => {
    expect(found(address, port)).toBe(kind);
  });
});

it('roleOf knows no address of an ExternalName, and every role has a text', () => {
  expect(roleOf('10.96.0.10', makeService('web', { type: 'ExternalName' }))).toBeUndefined();
  expect(Object.keys(roleTexts)).toEqual(['cluster', 'external', 'loadBalancer', 'nodePort']);
});

it('primaryOf is the address of the first family of the Service', () => {
  const addresses = ['10.96.0.10', 'fd00::10'];
  expect(primaryOf(addresses, makeService('web', { ipFamilies: ['IPv6', 'IPv4'] }))).toBe('fd00::10');
  expect(primaryOf(addresses, makeService('web', { ipFamilies: [], clusterIPs: ['fd00::1'] }))).toBe('fd00::10');
  expect(primaryOf(addresses, makeService('web', { ipFamilies: null, clusterIP: 'None', clusterIPs: null }))).toBe('10.96.0.10');
  expect(primaryOf([], makeService('web'))).toBeUndefined();
});

it('addressesOfPod leaves out what is no address', () => {
  expect(addressesOfPod({ status: { podIP: '10.1.0.01', podIPs: [{ ip: 'x' }, { ip: 'FD00::1' }, {}] } })).toEqual(['10.1.0.1', 'fd00::1']);
  expect(addressesOfPod({})).toEqual([]);
});

it('nodeWith is the node that has an address, however that is written', () => {
  expect([nodeWith('192.168.0.2', cluster), nodeWith('fd00::1:2', cluster), nodeWith('192.168.0.9', cluster)]).toEqual([
    'n2',
    'n4',
    undefined,
  ]);
});
