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

/** The result of sameWhenRepacked. Expects it to equal a comparison with full repacking. */
function compareAndCheck(existing: readonly EndpointSubsetInput[], desired: readonly EndpointSubsetInput[]): boolean {
  const canonical = repack(desired, profile);
  const result = sameWhenRepacked(existing, canonical, profile);
  expect(result).toBe(sameSubsets(repack(existing, profile), canonical, profile));
  return result;
}

describe('sameWhenRepacked', () => {
  const desiredSubset: EndpointSubsetInput = { addresses: [a, b], notReadyAddresses: [c], ports };
  it.each<[string, readonly EndpointSubsetInput[], boolean]>([
    ['addresses in another order', [{ ...desiredSubset, addresses: [b, a] }], true],
    ['an address twice', [{ ...desiredSubset, addresses: [a, a, b] }], true],
    ['an address twice, once not ready', [{ ...desiredSubset, addresses: [a, b, c] }], true],
    ['an address twice instead of another', [{ ...desiredSubset, addresses: [a, a] }], false],
    ['a ready address instead of a not-ready one', [{ addresses: [a, b, c], ports }], false],
    ['another address', [{ ...desiredSubset, addresses: [a, d] }], false],
    ['another address out of order', [{ ...desiredSubset, addresses: [d, a] }], false],
    ['an additional address', [{ ...desiredSubset, addresses: [a, b, d] }], false],
    ['a missing address', [{ ...desiredSubset, addresses: [a] }], false],
    ['other ports', [{ ...desiredSubset, ports: [{ port: 81 }] }], false],
    ['a port twice', [{ ...desiredSubset, ports: [{ port: 80 }, { port: 80 }] }], true],
    [
      'two subsets',
      [
        { addresses: [a, b], ports },
        { notReadyAddresses: [c], ports },
      ],
      true,
    ],
    ['an additional empty subset', [desiredSubset, { ports }], true],
    ['no subsets', [], false],
    ['no addresses', [{ ports }], false],
  ])('existing Endpoints with %s: %3$s', (_, existing, expected) => {
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
