import { expect, it } from 'vitest';
import { createAddressNotInRange, createNotAnAddress, createPortNotInRange, refusals } from '../../src/allocators/refusals.ts';

it('refusals have the messages of the upstream allocators', () => {
  expect(Object.values(refusals).map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'full: range is full',
    'allocated: provided IP is already allocated',
    'allocated: provided port is already allocated',
    'mismatched-network: the provided network does not match the current range',
    'mismatched-network: the provided port range does not match the current port range',
  ]);
  expect(createPortNotInRange('1-2').message).toBe('provided port is not in the valid range. The range of valid ports is 1-2');
  expect(createNotAnAddress().message).toBe('ParseAddr("<nil>"): unable to parse IP');
});

it('createAddressNotInRange names the address since 1.23', () => {
  expect(createAddressNotInRange('10.0.0.9', '10.0.0.0/29', true).message).toBe(
    'the provided IP (10.0.0.9) is not in the valid range. The range of valid IPs is 10.0.0.0/29',
  );
  expect(createAddressNotInRange(undefined, '10.0.0.0/29', true).message).toContain('(<nil>)');
  expect(createAddressNotInRange('10.0.0.9', '10.0.0.0/29', false).message).toBe(
    'provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/29',
  );
});
