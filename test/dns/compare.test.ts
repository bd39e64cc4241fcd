import { expect, test } from 'vitest';
import { compareRecords, coreDNSReleases } from '../../src/dns/index.ts';
import { newest } from '../../src/versions/index.ts';

const namespaces = [{ metadata: { name: 'shop' } }];
const web = (spec: object) => ({ metadata: { namespace: 'shop', name: 'web' }, spec });

test('compareRecords finds the records of all cluster IPs, and the gate behind them', () => {
  const services = [web({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd00::1'], ports: [] })];
  expect(compareRecords({ services, namespaces }, '1.8.0', '1.8.4')).toStrictEqual([
    { change: 'added', record: 'web.shop.svc.cluster.local. 5 IN AAAA fd00::1', gates: ['allClusterIPs'] },
  ]);
});

test('compareRecords finds the records of endpoints that are not ready', () => {
  const services = [web({ clusterIP: 'None', ports: [] })];
  const slice = {
    metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [],
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false } }],
  };
  const changes = compareRecords({ services, endpointSlices: [slice], namespaces }, '1.8.3', '1.8.6');
  expect(changes.map(({ change, gates }) => ({ change, gates }))).toContainEqual({ change: 'removed', gates: ['unreadyEndpointsSkipped'] });
  expect(compareRecords({ services, endpointSlices: [slice], namespaces }, '1.9.3', '1.9.3')).toStrictEqual([]);
});

test('compareRecords accepts each release that kubeadm installs', () => {
  expect(Object.keys(coreDNSReleases).at(-1)).toBe(newest);
  for (const release of Object.values(coreDNSReleases)) expect(compareRecords({}, release, '1.15')).toStrictEqual([]);
});
