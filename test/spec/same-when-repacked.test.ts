import { describe, expect, it } from 'vitest';
import { sameSubsets } from '../../src/spec/equal.ts';
import { sameWhenRepacked } from '../../src/spec/plan.ts';
import { repack } from '../../src/spec/subsets.ts';
import type { EndpointAddress, EndpointSubsetInput } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { fc } from '../support/property.ts';
import { makeAddresses } from './objects.ts';

const profile = profileFor();
const [a, b, c, d] = makeAddresses(4) as [EndpointAddress, EndpointAddress, EndpointAddress, EndpointAddress];
const ports = [{ port: 80 }];

/** Returns the result of sameWhenRepacked. Expects the result of a comparison with full repacking. */
function compareAndCheck(existing: readonly EndpointSubsetInput[], desired: readonly EndpointSubsetInput[]): boolean {
  const canonicalSubsets = repack(desired, profile);
  const result = sameWhenRepacked(existing, canonicalSubsets, profile);
  expect(result).toBe(sameSubsets(repack(existing, profile), canonicalSubsets, profile));
  return result;
}

describe('sameWhenRepacked', () => {
  const desiredSubset: EndpointSubsetInput = { addresses: [a, b], notReadyAddresses: [c], ports };
  it.each<[string, boolean, readonly EndpointSubsetInput[]]>([
    ['addresses in a different order', true, [{ ...desiredSubset, addresses: [b, a] }]],
    ['an address twice', true, [{ ...desiredSubset, addresses: [a, a, b] }]],
    ['an address twice, once not ready', true, [{ ...desiredSubset, addresses: [a, b, c] }]],
    ['an address twice instead of two addresses', false, [{ ...desiredSubset, addresses: [a, a] }]],
    ['a ready address instead of a not-ready one', false, [{ addresses: [a, b, c], ports }]],
    ['a different address', false, [{ ...desiredSubset, addresses: [a, d] }]],
    ['a different address out of order', false, [{ ...desiredSubset, addresses: [d, a] }]],
    ['an additional address', false, [{ ...desiredSubset, addresses: [a, b, d] }]],
    ['a missing address', false, [{ ...desiredSubset, addresses: [a] }]],
    ['different ports', false, [{ ...desiredSubset, ports: [{ port: 81 }] }]],
    ['a port twice', true, [{ ...desiredSubset, ports: [{ port: 80 }, { port: 80 }] }]],
    [
      'two subsets',
      true,
      [
        { addresses: [a, b], ports },
        { notReadyAddresses: [c], ports },
      ],
    ],
    ['an additional empty subset', true, [desiredSubset, { ports }]],
    ['no subsets', false, []],
    ['no addresses', false, [{ ports }]],
  ])('for existing Endpoints with %s, returns %s', (_, expected, existing) => {
    expect(compareAndCheck(existing, [desiredSubset])).toBe(expected);
  });

  it('returns true for no subsets if none are desired', () => {
    expect(compareAndCheck([{ ports }], [])).toBe(true);
    expect(compareAndCheck([desiredSubset], [])).toBe(false);
  });

  it('matches a comparison with full repacking', () => {
    const addresses = fc.array(fc.constantFrom(a, b, c, { ...a, targetRef: { uid: 'u' } }), { maxLength: 4 });
    const lists = fc.array(
      fc.record({ addresses, notReadyAddresses: addresses, ports: fc.constantFrom(ports, [{ port: 80 }, { port: 81 }], []) }),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(lists, lists, (existing, desired) => void compareAndCheck(existing, desired)),
      { numRuns: 3000 },
    );
  });
});
