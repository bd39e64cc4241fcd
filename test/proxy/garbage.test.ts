import { expect, it } from 'vitest';
import { createNodeView, endpointVerdicts, type NodeView, nftablesRules, type ProxyObjects } from '../../src/proxy/index.ts';
import { replaceTable } from '../../src/proxy/nftables/model.ts';
import { nodeOf, type ProxyCase, readVectors } from '../golden/proxy/form.ts';
import { fc } from '../support/property.ts';
import { apply } from './nftables/fake-nft.ts';

/** Removes random parts of a value. Any field may become absent or null, and any object or list may become empty. */
function removeRandomParts(value: unknown, nextNumber: () => number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (nextNumber() % 12 === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((each) => removeRandomParts(each, nextNumber));
  const keptFields = Object.entries(value).filter(() => nextNumber() % 12 !== 0);
  return Object.fromEntries(keptFields.map(([key, each]) => [key, nextNumber() % 20 === 0 ? null : removeRandomParts(each, nextNumber)]));
}

const cases = readVectors<ProxyCase>('cases').filter(({ services }) => services.length > 1);
const incompleteCases = fc
  .tuple(fc.constantFrom(...cases), fc.array(fc.nat({ max: 1000 }), { minLength: 60, maxLength: 120 }))
  .map(([proxyCase, numbers]) => {
    let position = 0;
    const nextNumber = (): number => numbers[position++ % numbers.length] ?? 0;
    const { services, endpointSlices } = removeRandomParts(proxyCase, nextNumber) as Partial<ProxyCase>;
    return { objects: { services: services ?? [], endpointSlices: endpointSlices ?? [] } satisfies ProxyObjects, node: nodeOf(proxyCase) };
  });

it('createNodeView accepts objects with missing fields; nftablesRules returns rules or an error that names the object', () => {
  let chainCount = 0;
  fc.assert(
    fc.property(incompleteCases, fc.constantFrom('IPv4', 'IPv6'), ({ objects, node }, family) => {
      const view = createNodeView(objects, node, { family });
      for (const port of view.ports) expect(endpointVerdicts(port, node)).toHaveLength(port.endpoints.length);
      for (const port of view.ports) {
        const rules = rulesOrError({ ...view, ports: [port] }, node);
        if (typeof rules === 'string') expect(rules).toMatch(/^(Service|EndpointSlice of Service) ".*": .* has to be /);
        else chainCount += apply(undefined, replaceTable(rules)).chains.length;
      }
    }),
    { numRuns: 300 },
  );
  // The seed determines the number of chains, usually about 1700.
  expect(chainCount).toBeGreaterThan(100);
});

function rulesOrError(view: NodeView, node: ReturnType<typeof nodeOf>): ReturnType<typeof nftablesRules> | string {
  try {
    return nftablesRules(view, node);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
