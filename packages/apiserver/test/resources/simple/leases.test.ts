import { expect, test } from 'vitest';
import { leases } from '../../../src/resources/simple/leases.ts';
import { checkCreate } from '../../../src/resources/write.ts';

const metadata = { name: 'a', namespace: 'b' };

test('a Lease with the duration 0 or negative transitions is invalid', () => {
  const { causes } = checkCreate(leases, { metadata, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } });
  expect(causes?.map(({ field }) => field)).toEqual(['spec.leaseDurationSeconds', 'spec.leaseTransitions']);
});

test('the fields of coordinated leader election are dropped from a Lease', () => {
  const spec = { holderIdentity: 'x', strategy: 'Odd', preferredHolder: 'y' };
  expect(checkCreate(leases, { metadata, spec })).toEqual({ object: { metadata, spec: { holderIdentity: 'x' } } });
});
