import { expect, it } from 'vitest';
import { countFree, createIPObjects, sortByValue } from '../../../src/allocators/addresses/objects.ts';
import { drawLowest, listOf } from '../support.ts';

it('createIPObjects allocates, refuses and releases addresses', () => {
  const addresses = new Set<string>();
  const range = createIPObjects({ cidr: 'fd00::/126', draw: drawLowest, addresses });
  expect(range.allocate('fd00::0003')).toBeUndefined();
  expect(range.allocate('fd00::3')?.message).toBe('provided IP is already allocated');
  expect(range.allocate('10.0.0.1')?.message).toContain('the provided IP (10.0.0.1) is not in the valid range');
  expect(range.allocate('bogus')).toEqual({ code: 'not-an-address', message: 'ParseAddr("<nil>"): unable to parse IP' });
  expect([range.allocateNext().value, range.allocateNext().value, range.allocateNext().refusal?.code]).toEqual([
    'fd00::1',
    'fd00::2',
    'full',
  ]);
  expect([range.free(), range.used(), range.has('fd00::2')]).toEqual([0, 3, true]);
  range.release('fd00::2');
  expect([...addresses]).toEqual(['fd00::3', 'fd00::1']);
  expect(listOf(range)).toEqual(['fd00::1', 'fd00::3']);
});

it('IPAddress objects are allocated from the upper band first, starting at a random address', () => {
  const draws = [237, 0, 5];
  const range = createIPObjects({ cidr: '10.0.0.0/24', draw: () => draws.shift() ?? 0 });
  expect([range.allocateNext().value, range.allocateNext().value]).toEqual(['10.0.0.254', '10.0.0.17']);
  for (let i = 18; i <= 253; i++) range.allocate(`10.0.0.${i}`);
  draws.unshift(0);
  expect(range.allocateNext().value).toBe('10.0.0.6');
});

it('a range of IPAddress objects is limited to 2^64 addresses', () => {
  const draws = [0xffffffff, 0xfffffe00];
  const range = createIPObjects({ cidr: 'fd00::/64', draw: () => draws.shift() ?? 0 });
  expect(range.allocateNext().value).toBe('fd00::ffff:ffff:ffff:ff01');
  expect(range.free()).toBe(2 ** 63);
  expect(() => createIPObjects({ cidr: 'fd00::/63', draw: drawLowest })).toThrow(
    'shortest allowed prefix length for service CIDR is 64, got 63',
  );
});

it('a dry run of IPAddress objects allocates nothing', () => {
  const range = createIPObjects({ cidr: '10.0.0.0/29', draw: drawLowest });
  range.allocate('10.0.0.1');
  const dryRange = range.dryRun();
  expect([dryRange.allocate('10.0.0.1'), dryRange.allocateNext(), dryRange.release('10.0.0.1')]).toEqual([
    undefined,
    { value: '10.0.0.0' },
    undefined,
  ]);
  expect(dryRange.allocate('10.0.1.1')?.code).toBe('not-in-range');
  expect(range.used()).toBe(1);
});

it('countFree never returns less than 0, and sortByValue sorts by value', () => {
  expect([countFree(5n, 2), countFree(1n, 2), countFree(1n << 64n, 1)]).toEqual([3, 0, 2 ** 63]);
  expect(
    sortByValue([
      { family: 'IPv4', value: 2n },
      { family: 'IPv4', value: 1n },
    ]).map(({ value }) => value),
  ).toEqual([1n, 2n]);
});
