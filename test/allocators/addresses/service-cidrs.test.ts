import { expect, it } from 'vitest';
import { createServiceCIDRs } from '../../../src/allocators/addresses/objects.ts';
import { drawLowest, listOf } from '../support.ts';

it('createServiceCIDRs allocates from the first range with free addresses', () => {
  const allocator = createServiceCIDRs({ cidrs: ['10.0.0.0/30', '10.1.0.0/30'], draw: drawLowest });
  const results = Array.from({ length: 5 }, () => allocator.allocateNext());
  expect(results.map(({ value, refusal }) => value ?? refusal?.code)).toEqual(['10.0.0.1', '10.0.0.2', '10.1.0.1', '10.1.0.2', 'full']);
  expect(allocator.release('10.0.0.2')).toBeUndefined();
  expect([allocator.free(), allocator.used(), allocator.has('10.0.0.2'), allocator.has('10.1.0.2')]).toEqual([1, 3, false, true]);
  expect(listOf(allocator)).toEqual(['10.0.0.1', '10.1.0.1', '10.1.0.2']);
});

it.each(['10.0.0.0', '10.0.0.3', '10.2.0.1', 'fd00::1', 'bogus'])('createServiceCIDRs refuses %s, which no range contains', (address) => {
  const allocator = createServiceCIDRs({ cidrs: ['10.0.0.0/30'], draw: drawLowest });
  const refusal = { code: 'mismatched-network', message: 'the provided network does not match the current range' };
  expect([allocator.allocate(address), allocator.release(address), allocator.has(address)]).toEqual([refusal, refusal, false]);
});

it('overlapping Service CIDRs count each address once and allocate it once', () => {
  const allocator = createServiceCIDRs({ cidrs: ['10.0.0.0/28', '10.0.0.0/24', '10.0.0.0/24'], draw: drawLowest });
  expect(allocator.free()).toBe(254);
  expect([allocator.allocate('10.0.0.2'), allocator.allocate('10.0.0.2')?.code]).toEqual([undefined, 'allocated']);
  expect(allocator.dryRun().allocateNext()).toEqual({ value: '10.0.0.0' });
});

it('createServiceCIDRs requires ranges of one family', () => {
  expect(() => createServiceCIDRs({ cidrs: [], draw: drawLowest })).toThrow(
    'cidrs must contain at least one CIDR, all of one IP family, got: none',
  );
  expect(() => createServiceCIDRs({ cidrs: ['10.0.0.0/24', 'fd00::/64'], draw: drawLowest })).toThrow(RangeError);
});
