import { describe, expect, it } from 'vitest';
import { computeMirrorFigures } from '../../../src/spec/mirroring/figures.ts';
import type { EndpointSliceInput, EndpointSubsetInput } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeEndpoints, makeMirrored, makeReadySubset, otherPort } from './objects.ts';

const figuresOf = (subsets: readonly EndpointSubsetInput[], current: readonly EndpointSliceInput[] = [], max = 1000, version = '1.37') =>
  computeMirrorFigures(makeEndpoints(subsets), current, max, profileFor(version));

describe('computeMirrorFigures', () => {
  it('counts every endpoint of new slices as added', () => {
    const subsets = [makeReadySubset(['10.0.0.1', '10.0.0.2', 'fd00::1'])];
    expect(figuresOf(subsets)).toStrictEqual({ endpoints: 3, desired: 2, added: 3, updated: 0, removed: 0, skipped: 0 });
  });

  it('compares the endpoints of a group with its first slice', () => {
    const current = [makeMirrored('a', ['10.0.0.2', '10.0.0.3', '10.0.0.4']), makeMirrored('b', ['10.0.0.9'])];
    const subsets = [{ ...makeReadySubset(['10.0.0.1', '10.0.0.2']), notReadyAddresses: [{ ip: '10.0.0.3' }] }];
    expect(figuresOf(subsets, current)).toStrictEqual({ endpoints: 3, desired: 1, added: 1, updated: 1, removed: 1, skipped: 0 });
  });

  it('counts the endpoints of an address type that has no addresses left as removed, and of ports that are gone as neither', () => {
    const current = [
      makeMirrored('a', ['fd00::1', 'fd00::2'], { addressType: 'IPv6' }),
      makeMirrored('b', ['10.0.0.1'], { ports: [otherPort] }),
    ];
    const subsets = [makeReadySubset(['10.0.0.1'])];
    expect(figuresOf(subsets, current)).toStrictEqual({ endpoints: 1, desired: 1, added: 1, updated: 0, removed: 2, skipped: 0 });
  });

  it('counts invalid addresses and those beyond the maximum as skipped', () => {
    const subsets = [makeReadySubset(['10.0.0.1', 'nowhere', '10.0.0.2', '10.0.0.3'])];
    expect(figuresOf(subsets, [], 2)).toStrictEqual({ endpoints: 2, desired: 1, added: 2, updated: 0, removed: 0, skipped: 2 });
  });

  it('counts several slices for a group that exceeds the maximum of a slice', () => {
    const subsets = [makeReadySubset(['10.0.0.1', '10.0.0.2']), makeReadySubset(['10.0.0.3'])];
    expect(figuresOf(subsets, [], 2, '1.26')).toMatchObject({ endpoints: 3, desired: 2, added: 3 });
  });
});
