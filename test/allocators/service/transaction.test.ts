import { expect, it } from 'vitest';
import { startTransaction } from '../../../src/allocators/service/transaction.ts';
import { allocatedValues, createAllocators } from '../support.ts';

function startFilledTransaction(dryRun = false) {
  const allocators = createAllocators();
  allocators.clusterIPs.IPv4?.allocate('10.0.0.5');
  allocators.nodePorts.allocate(30005);
  const transaction = startTransaction(allocators, dryRun);
  transaction.allocateIP('IPv4', '010.0.0.2');
  transaction.allocateNextIP('IPv6');
  transaction.ports.allocate(30001);
  transaction.ports.allocate(30002);
  transaction.recordHealthCheckAllocation(30002);
  transaction.releaseIP('IPv4', '10.0.0.5');
  transaction.ports.releaseDeferred(30005);
  transaction.recordHealthCheckRelease(30005);
  return { allocators, transaction };
}

it('a transaction lists its allocations and releases', () => {
  const { transaction } = startFilledTransaction();
  expect(transaction.allocated()).toEqual([
    { kind: 'clusterIP', family: 'IPv4', value: '010.0.0.2' },
    { kind: 'clusterIP', family: 'IPv6', value: 'fd00::1' },
    { kind: 'nodePort', value: 30001 },
    { kind: 'healthCheckNodePort', value: 30002 },
  ]);
  expect(transaction.released()).toEqual([
    { kind: 'clusterIP', family: 'IPv4', value: '10.0.0.5' },
    { kind: 'healthCheckNodePort', value: 30005 },
  ]);
});

it('a transaction releases on commit or undoes on rollback, only once', () => {
  const committedFixture = startFilledTransaction();
  committedFixture.transaction.commit();
  committedFixture.transaction.rollback();
  expect(allocatedValues(committedFixture.allocators)).toEqual(['10.0.0.2', 'fd00::1', 30001, 30002]);
  const rolledBackFixture = startFilledTransaction();
  rolledBackFixture.transaction.rollback();
  rolledBackFixture.transaction.commit();
  expect(allocatedValues(rolledBackFixture.allocators)).toEqual(['10.0.0.5', 30005]);
});

it('a dry run reserves nothing', () => {
  const { allocators, transaction } = startFilledTransaction(true);
  expect(transaction.allocated()[1]).toEqual({ kind: 'clusterIP', family: 'IPv6', value: 'fd00::' });
  transaction.commit();
  expect(allocatedValues(allocators)).toEqual(['10.0.0.5', 30005]);
});

it('a transaction has the families of the cluster', () => {
  const transaction = startTransaction(createAllocators(['IPv4']), false);
  expect([transaction.hasFamily('IPv4'), transaction.hasFamily('IPv6')]).toEqual([true, false]);
  expect(() => transaction.allocateNextIP('IPv6')).toThrow('clusterIPs contains no allocator for IPv6');
});
