import { describe, expect, it } from 'vitest';
import type { PolicyWorld } from '../../conformance/oracle/policy/case.ts';
import { generatePolicy } from '../../conformance/oracle/policy/generate.ts';
import { evaluateTraffic, type NetworkPolicy, type PolicyObjects, type TrafficVerdict } from '../../src/policy/index.ts';
import { fc } from '../support/property.ts';

const worlds = fc.nat().map((seed): PolicyWorld => [...generatePolicy(seed, 1)][0] as PolicyWorld);
const objectsOf = ({ id: _, probes: __, ...objects }: PolicyWorld): PolicyObjects => objects;
const evaluateAll = ({ probes }: PolicyWorld, objects: PolicyObjects): TrafficVerdict[] =>
  probes.map((probe) => evaluateTraffic(probe, objects));

/** Checks that a change of the objects changes no verdict and no reason. */
function expectNoEffect(change: (world: PolicyWorld) => PolicyObjects): void {
  fc.assert(
    fc.property(worlds, (world) => {
      expect(evaluateAll(world, change(world))).toStrictEqual(evaluateAll(world, objectsOf(world)));
    }),
    { numRuns: 60 },
  );
}

const withPolicies = (world: PolicyWorld, ...policies: NetworkPolicy[]): PolicyObjects => ({
  ...objectsOf(world),
  networkPolicies: [...policies, ...world.networkPolicies],
});

describe('no verdict depends on', () => {
  it('the order of objects', () => {
    expectNoEffect((world) => ({
      networkPolicies: world.networkPolicies.toReversed(),
      adminNetworkPolicies: world.adminNetworkPolicies.toReversed(),
      baselineAdminNetworkPolicies: world.baselineAdminNetworkPolicies,
      pods: world.pods.toReversed(),
      namespaces: world.namespaces.toReversed(),
      nodes: world.nodes.toReversed(),
    }));
  });

  it('a policy in another namespace', () => {
    expectNoEffect((world) => withPolicies(world, { metadata: { namespace: 'elsewhere', name: 'a' }, spec: {} }));
  });

  it('a policy that selects no pod', () => {
    const podSelector = { matchLabels: { no: 'pod' } };
    const policies = ['shop', 'data', 'ops'].map((namespace) => ({ metadata: { namespace, name: 'a' }, spec: { podSelector } }));
    expectNoEffect((world) => withPolicies(world, ...policies));
  });

  it('a cluster-wide policy without rules', () => {
    expectNoEffect((world) => ({
      ...objectsOf(world),
      clusterNetworkPolicies: [{ metadata: { name: 'a' }, spec: { tier: 'Admin', priority: 0, subject: { namespaces: {} } } }],
    }));
  });

  it('whether the objects are lists or generators', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const [probe] = world.probes as [PolicyWorld['probes'][0]];
        const lists = Object.entries(objectsOf(world)) as [string, Iterable<unknown>][];
        const generators = Object.fromEntries(lists.map(([name, list]) => [name, list[Symbol.iterator]()])) as PolicyObjects;
        expect(evaluateTraffic(probe, generators)).toStrictEqual(evaluateTraffic(probe, objectsOf(world)));
      }),
      { numRuns: 20 },
    );
  });
});

describe('NetworkPolicies', () => {
  it('allow more with another rule, and never less', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const added = world.networkPolicies.map((policy) => ({
          ...policy,
          spec: { ...policy.spec, ingress: [...(policy.spec?.ingress ?? []), {}] },
        }));
        const networkOnly = { ...objectsOf(world), adminNetworkPolicies: [], baselineAdminNetworkPolicies: [] };
        for (const { ingress } of evaluateAll(world, { ...networkOnly, networkPolicies: added })) expect(ingress.allowed).not.toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

it('every verdict has reasons of that verdict, and names the policies of its rules', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      for (const { egress, ingress } of evaluateAll(world, objectsOf(world)))
        for (const { allowed, reasons, policies } of [egress, ingress]) {
          expect(reasons.length).toBeGreaterThan(0);
          if (allowed !== 'unknown') expect(reasons).toHaveLength(1);
          for (const { policy, message } of reasons) {
            expect(message).not.toMatch(/[{}]/);
            if (policy) expect(policies).toContainEqual(policy);
          }
        }
    }),
    { numRuns: 60 },
  );
});

describe('objects with missing fields', () => {
  it('have verdicts, or an error that names the policy and the field', () => {
    fc.assert(
      fc.property(worlds, fc.array(fc.nat({ max: 1000 }), { minLength: 60, maxLength: 120 }), (world, numbers) => {
        let position = 0;
        const objects = removeRandomParts(objectsOf(world), () => numbers[position++ % numbers.length] ?? 0) as PolicyObjects;
        for (const probe of world.probes) {
          try {
            expect(['unknown', true, false]).toContain(evaluateTraffic(probe, { ...objects, pods: world.pods }).allowed);
          } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            expect(error.message).toMatch(/Policy .*: spec\..* (is|has to|must) /);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** Removes random parts of a value. Any field of an object may become absent or null, and any object or list may become empty. */
function removeRandomParts(value: unknown, nextNumber: () => number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => removeRandomParts(each, nextNumber));
  const keptFields = Object.entries(value).filter(() => nextNumber() % 12 !== 0);
  return Object.fromEntries(keptFields.map(([key, each]) => [key, nextNumber() % 20 === 0 ? null : removeRandomParts(each, nextNumber)]));
}
