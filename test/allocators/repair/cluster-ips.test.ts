import { expect, it } from 'vitest';
import { createIPBitmap, type RangeSnapshot } from '../../../src/allocators/addresses/bitmap.ts';
import { repairClusterIPs } from '../../../src/allocators/repair/cluster-ips.ts';
import { drawLowest, listOf, service } from '../support.ts';

const cidr = '10.0.0.0/29';
const snapshotWith = (...addresses: string[]): RangeSnapshot => {
  const range = createIPBitmap({ cidr, draw: drawLowest });
  for (const address of addresses) range.allocate(address);
  return range.snapshot();
};
const addressesIn = (snapshot: RangeSnapshot | undefined): string[] => {
  const range = createIPBitmap({ cidr, draw: drawLowest });
  range.restore(snapshot ?? snapshotWith());
  return listOf(range);
};
const serviceWith = (...clusterIPs: string[]) => service({ clusterIP: clusterIPs[0], clusterIPs });

it('repairClusterIPs finds nothing if all addresses are allocated once', () => {
  const services = [serviceWith('10.0.0.1'), serviceWith('None'), service({ type: 'ExternalName' })];
  const { findings, leaks, ranges } = repairClusterIPs({ services, ranges: [{ cidr, stored: snapshotWith('10.0.0.1') }] });
  expect([findings, leaks, ranges.map(addressesIn)]).toEqual([[], [], [['10.0.0.1']]]);
});

it.each([
  ['10.0.0.2', 'ClusterIPNotAllocated', 'Cluster IP [IPv4]:10.0.0.2 is not allocated; repairing', ['10.0.0.1', '10.0.0.2']],
  [
    '10.0.0.1',
    'ClusterIPAlreadyAllocated',
    'Cluster IP [IPv4]:10.0.0.1 was assigned to multiple services; please recreate service',
    ['10.0.0.1'],
  ],
  [
    '10.0.0.9',
    'ClusterIPOutOfRange',
    'Cluster IP [IPv4]:10.0.0.9 is not within the service CIDR 10.0.0.0/29; please recreate service',
    ['10.0.0.1'],
  ],
  [
    'fd00::1',
    'ClusterIPNotValid',
    'Cluster IP fd00::1(IPv6) is of ip family that is no longer configured on cluster; please recreate service',
    ['10.0.0.1'],
  ],
  ['bogus', 'ClusterIPNotValid', 'Cluster IP <nil> is not a valid IP; please recreate service', ['10.0.0.1']],
])('repairClusterIPs reports a second Service with the address %s as %s', (address, code, message, remaining) => {
  const services = [serviceWith('10.0.0.1'), serviceWith(address)];
  const { findings, ranges } = repairClusterIPs({ services, ranges: [{ cidr, stored: snapshotWith('10.0.0.1') }] });
  expect(findings).toEqual([{ code, message, namespace: 'shop', name: 'web', value: address }]);
  expect(addressesIn(ranges[0])).toEqual(remaining);
});

it('repairClusterIPs uses the messages of 1.17, which checks only clusterIP', () => {
  const services = [
    service({ clusterIP: 'bogus' }),
    service({ clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2', '10.0.0.3'] }),
    serviceWith('fd00::1'),
  ];
  const { findings } = repairClusterIPs({ services, ranges: [{ cidr }], version: '1.17' });
  expect(findings.map(({ message }) => message)).toEqual([
    'Cluster IP bogus is not a valid IP; please recreate service',
    'Cluster IP 10.0.0.2 is not allocated; repairing',
    'Cluster IP fd00::1 is not within the service CIDR 10.0.0.0/29; please recreate service',
  ]);
});

it('repairClusterIPs keeps a leaked address for two rounds', () => {
  let stored = snapshotWith('10.0.0.5');
  let counts: ReadonlyMap<string, number> = new Map();
  const rounds = Array.from({ length: 3 }, () => {
    const repaired = repairClusterIPs({ services: [], ranges: [{ cidr, stored }], counts });
    stored = repaired.ranges[0] ?? stored;
    counts = repaired.counts;
    return [repaired.leaks, addressesIn(stored)];
  });
  const leak = (released: boolean): object[] => [{ value: '10.0.0.5', released }];
  expect(rounds).toEqual([
    [leak(false), ['10.0.0.5']],
    [leak(false), ['10.0.0.5']],
    [leak(true), []],
  ]);
});

it('repairClusterIPs repairs both families, and reads the state of an earlier range', () => {
  const services = [serviceWith('10.0.0.1', 'fd00::1')];
  const earlier = createIPBitmap({ cidr: '10.9.0.0/29', draw: drawLowest });
  earlier.allocate('10.9.0.1');
  const { findings, leaks, ranges } = repairClusterIPs({
    services,
    ranges: [{ cidr, stored: earlier.snapshot() }, { cidr: 'fd00::/125' }],
  });
  expect(findings.map(({ value }) => value)).toEqual(['10.0.0.1', 'fd00::1']);
  expect(leaks).toEqual([{ value: '10.9.0.1', released: false }]);
  expect(ranges.map(({ range, data }) => [range, [...data]])).toEqual([
    [cidr, [1]],
    ['fd00::/125', [1]],
  ]);
});
