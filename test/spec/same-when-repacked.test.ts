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
function said(there: readonly EndpointSubsetInput[], wanted: readonly EndpointSubsetInput[]): boolean {
  const canonical = repack(wanted, profile);
  const result = sameWhenRepacked(there, canonical, profile);
  expect(result).toBe(sameSubsets(repack(there, profile), canonical, profile));
  return result;
}

describe('sameWhenRepacked', () => {
  const right: EndpointSubsetInput = { addresses: [a, b], notReadyAddresses: [c], ports };
  it.each<[string, readonly EndpointSubsetInput[], boolean]>([
    ['another order', [{ ...right, addresses: [b, a] }], true],
    ['one twice', [{ ...right, addresses: [a, a, b] }], true],
    ['one twice, once not ready', [{ ...right, addresses: [a, b, c] }], true],
    ['one twice in place of another', [{ ...right, addresses: [a, a] }], false],
    ['one ready instead of not', [{ addresses: [a, b, c], ports }], false],
    ['another address', [{ ...right, addresses: [a, d] }], false],
    ['another address out of order', [{ ...right, addresses: [d, a] }], false],
    ['one more', [{ ...right, addresses: [a, b, d] }], false],
    ['one fewer', [{ ...right, addresses: [a] }], false],
    ['other ports', [{ ...right, ports: [{ port: 81 }] }], false],
    ['ports twice', [{ ...right, ports: [{ port: 80 }, { port: 80 }] }], true],
    [
      'two subsets',
      [
        { addresses: [a, b], ports },
        { notReadyAddresses: [c], ports },
      ],
      true,
    ],
    ['an empty subset beside', [right, { ports }], true],
    ['nothing', [], false],
    ['no addresses', [{ ports }], false],
  ])('%s: %3$s', (_, there, expected) => {
    expect(said(there, [right])).toBe(expected);
  });

  it('returns true for no subsets if none are desired', () => {
    expect(said([{ ports }], [])).toBe(true);
    expect(said([right], [])).toBe(false);
  });

  it('matches a comparison with full repacking', () => {
    const addresses = fc.array(fc.constantFrom(a, b, c, { ...a, targetRef: { uid: 'u' } }), { maxLength: 4 });
    const lists = fc.array(
      fc.record({ addresses, notReadyAddresses: addresses, ports: fc.constantFrom(ports, [{ port: 80 }, { port: 81 }], []) }),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(lists, lists, (there, wanted) => void said(there, wanted)),
      { numRuns: 3000 },
    );
  });
});
