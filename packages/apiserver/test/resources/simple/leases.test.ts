import { expect, test } from 'vitest';
import { leases } from '../../../src/resources/simple/leases.ts';
import { checkCreate } from '../../../src/resources/write.ts';

const metadata = { name: 'a', namespace: 'b' };

test('Lease durations are positive and transitions not negative', () => {
  const { causes } = checkCreate(leases, { metadata, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } });
  expect(causes?.map(({ field }) => field)).toEqual(['spec.leaseDurationSeconds', 'spec.leaseTransitions']);
});

test('fields of coordinated leader election are dropped', () => {
  const spec = { holderIdentity: 'x', strategy: 'Odd', preferredHolder: 'y' };
  expect(checkCreate(leases, { metadata, spec })).toEqual({ object: { metadata, spec: { holderIdentity: 'x' } } });
});
