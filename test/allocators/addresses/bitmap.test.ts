import { expect, it } from 'vitest';
import { canonicalAddress } from '../../../src/allocators/addresses/allocator.ts';
import { createIPBitmap } from '../../../src/allocators/addresses/bitmap.ts';
import { drawLowest, listOf } from '../support.ts';

it('createIPBitmap allocates, refuses and releases addresses', () => {
  const range = createIPBitmap({ cidr: '10.0.0.0/29', draw: drawLowest });
  expect(range.allocate('10.0.0.3')).toBeUndefined();
  expect(range.allocate('10.0.0.3')).toEqual({ code: 'allocated', message: 'provided IP is already allocated' });
  expect(range.allocate('10.0.0.7')?.code).toBe('not-in-range');
  expect([range.allocateNext(), range.allocateNext()]).toEqual([{ value: '10.0.0.1' }, { value: '10.0.0.2' }]);
  expect([range.has('10.0.0.2'), range.has('10.0.0.4'), range.has('bogus')]).toEqual([true, false, false]);
  range.release('10.0.0.2');
  range.release('192.0.2.1');
  expect(listOf(range)).toEqual(['10.0.0.1', '10.0.0.3']);
  expect([range.free(), range.used()]).toEqual([4, 2]);
});

it.each([
  ['1.17', '10.0.0.0/24', 254],
  ['1.37', '10.0.0.0/24', 254],
  ['1.37', '10.0.0.0/31', 0],
  ['1.18', 'fd00::/120', 254],
  ['1.19', 'fd00::/120', 255],
  ['1.18', 'fd00::/64', 65534],
  ['1.37', 'fd00::/64', 65535],
])('in %s, the range %s has %i free addresses', (version, cidr, count) => {
  expect(createIPBitmap({ cidr, draw: drawLowest, version }).free()).toBe(count);
});

it('a bitmap allocates from the upper band first since 1.25', () => {
  const firstAllocated = (version: string): string | undefined =>
    createIPBitmap({ cidr: '10.0.0.0/24', draw: drawLowest, version }).allocateNext().value;
  expect([firstAllocated('1.24'), firstAllocated('1.25')]).toEqual(['10.0.0.1', '10.0.0.17']);
});

it('a dry run of a bitmap allocates nothing', () => {
  const range = createIPBitmap({ cidr: '10.0.0.0/29', draw: drawLowest });
  const dryRun = range.dryRun();
  // As upstream, allocateNext in a dry run returns the first address of the range without a search.
  expect([dryRun.allocate('10.0.0.1'), dryRun.allocate('10.0.0.1'), dryRun.allocateNext()]).toEqual([
    undefined,
    undefined,
    { value: '10.0.0.0' },
  ]);
  expect(dryRun.allocate('10.0.0.0')?.code).toBe('not-in-range');
  range.allocate('10.0.0.1');
  dryRun.release('10.0.0.1');
  expect(listOf(range)).toEqual(['10.0.0.1']);
});

it('a bitmap can be restored from a snapshot of its range, but not from a snapshot of a different range', () => {
  const range = createIPBitmap({ cidr: '10.0.0.0/29', draw: drawLowest });
  range.allocate('10.0.0.1');
  range.allocate('10.0.0.3');
  const snapshot = range.snapshot();
  expect(snapshot).toEqual({ range: '10.0.0.0/29', data: Uint8Array.of(0b101) });
  const copy = createIPBitmap({ cidr: '10.0.0.5/29', draw: drawLowest });
  expect(copy.restore(snapshot)).toBeUndefined();
  expect(listOf(copy)).toEqual(['10.0.0.1', '10.0.0.3']);
  const message = 'the provided network does not match the current range';
  expect(copy.restore({ ...snapshot, range: '10.0.0.0/28' })).toEqual({ code: 'mismatched-network', message });
  expect(copy.restore({ ...snapshot, range: 'bogus' })?.code).toBe('mismatched-network');
});

it('a bitmap wraps offsets at 64 bits, as upstream does', () => {
  const range = createIPBitmap({ cidr: 'fd00::/48', draw: drawLowest });
  expect(range.allocate('fd00:0:0:1::5')).toBeUndefined();
  expect(range.has('fd00::5')).toBe(true);
});

it('canonicalAddress has one form for each address', () => {
  expect([canonicalAddress('::ffff:10.0.0.3'), canonicalAddress('FD00::0'), canonicalAddress('x')]).toEqual([
    '10.0.0.3',
    'fd00::',
    undefined,
  ]);
});
