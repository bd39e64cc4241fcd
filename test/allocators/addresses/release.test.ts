import { describe, expect, it } from 'vitest';
import { createIPBitmap, createIPObjects, createServiceCIDRs, type IPAllocator } from '../../../src/allocators/index.ts';
import { drawLowest, listOf } from '../support.ts';

const cidr = '10.0.0.0/29';
const allocatorFactories: Readonly<Record<string, () => IPAllocator>> = {
  'a bitmap': () => createIPBitmap({ cidr, draw: drawLowest }),
  'a range of IPAddress objects': () => createIPObjects({ cidr, draw: drawLowest }),
  'several ranges': () => createServiceCIDRs({ cidrs: [cidr], draw: drawLowest }),
};

describe.each(Object.entries(allocatorFactories))('%s', (kind, createRange) => {
  it('releases an allocated address, and ignores a free one', () => {
    const range = createRange();
    expect(range.allocate('10.0.0.3')).toBeUndefined();
    expect([range.release('10.0.0.3'), range.release('10.0.0.3')]).toStrictEqual([undefined, undefined]);
    expect(listOf(range)).toStrictEqual([]);
  });

  it.each(['10.0.0.0', '10.0.0.7', '10.0.1.1', 'fd00::1', 'bogus', ''])('releases nothing for %j', (address) => {
    const range = createRange();
    range.allocate('10.0.0.3');
    const refusal = kind === 'several ranges' ? { code: 'mismatched-network', message: expect.any(String) } : undefined;
    expect(range.release(address)).toStrictEqual(refusal);
    expect(listOf(range)).toStrictEqual(['10.0.0.3']);
  });
});

it('a dry run releases nothing and never refuses', () => {
  for (const createRange of Object.values(allocatorFactories)) {
    const range = createRange();
    range.allocate('10.0.0.3');
    expect([range.dryRun().release('10.0.0.3'), range.dryRun().release('bogus')]).toStrictEqual([undefined, undefined]);
    expect(range.has('10.0.0.3')).toBe(true);
  }
});
