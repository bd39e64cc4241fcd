import { repackSubsets } from 'kube-endpoints';
import type { EndpointInput, EndpointSliceInput, EndpointSubset, EndpointsInput } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { freezeDeeply } from '../../../../test/property/check.ts';
import { fc } from '../../../../test/support/property.ts';
import { sampledRunCount as runsOf } from '../../../../test/support/sample.ts';
import { applyJsonPatch } from '../../../apiserver/src/patch/json-patch.ts';
import { createOverrides, type EndpointOverrides, type OverrideRequest, type OverrideRule, RulesError } from '../../src/index.ts';
import { sortKeys, toPlainJson } from '../support.ts';
import { anyEndpoints, anyRule, anySlice, somePods } from './overrides-arbitraries.ts';

const now = new Date('2026-03-04T12:00:00Z');
const runs = { numRuns: runsOf(1500) };

const requests: fc.Arbitrary<OverrideRequest> = fc
  .oneof(
    fc.record({ object: anyEndpoints, old: fc.option(anyEndpoints, { nil: undefined, freq: 5 }) }),
    fc.record({ object: anySlice, old: fc.option(anySlice, { nil: undefined, freq: 5 }) }),
  )
  .chain(({ object, old }) =>
    somePods.map((pods) => ({ operation: old ? ('UPDATE' as const) : ('CREATE' as const), object, oldObject: old, pods, now })),
  );

const withNames = (rules: readonly Omit<OverrideRule, 'name'>[]): OverrideRule[] =>
  rules.map((rule, index) => ({ name: `r${index}`, ...rule }) as OverrideRule);

/** Generates valid rule sets. Sets with contradicting rules are filtered out. */
const ruleSets = (form: 'plain' | 'stateful'): fc.Arbitrary<EndpointOverrides> =>
  fc
    .record({
      evaluation: fc.constantFrom('all' as const, 'all' as const, 'first' as const),
      rules: fc.array(anyRule(form), { minLength: 1, maxLength: 5 }),
    })
    .map(({ evaluation, rules }) => ({ evaluation, rules: withNames(rules) }))
    .filter(isValid);

function isValid(set: EndpointOverrides): boolean {
  try {
    createOverrides(set);
    return true;
  } catch (error) {
    if (error instanceof RulesError) return false;
    throw error;
  }
}

const serialize = (value: unknown): string => JSON.stringify(sortKeys(toPlainJson(value)));

test.each(['plain', 'stateful'] as const)('%s rules do not modify inputs, and their patch produces the object', (form) => {
  fc.assert(
    fc.property(ruleSets(form), requests, (set, request) => {
      const { object, patch, changed, refused } = createOverrides(freezeDeeply(set)).apply(freezeDeeply(request));
      expect(changed).toBe(patch.length > 0);
      if (!changed) expect(object).toBe(request.object);
      if (refused) expect(changed).toBe(false);
      expect(serialize(applyJsonPatch(toPlainJson(request.object), toPlainJson(patch)).value)).toBe(serialize(object));
    }),
    runs,
  );
});

test.each(['plain', 'stateful'] as const)('%s rules do not change their own output', (form) => {
  fc.assert(
    fc.property(ruleSets(form), requests, (set, request) => {
      const overrides = createOverrides(set);
      const { object, refused } = overrides.apply(request);
      if (refused) return;
      expect(overrides.apply({ ...request, object }).patch).toEqual([]);
      if (form === 'plain') expect(overrides.apply({ ...request, object, oldObject: object }).patch).toEqual([]);
    }),
    runs,
  );
});

test('changed objects are valid: unique addresses per port, API order, complete slices', () => {
  fc.assert(
    fc.property(ruleSets('stateful'), requests, (set, request) => {
      const { object, changed } = createOverrides(set).apply(request);
      if (!changed) return;
      const { subsets } = object as { subsets?: EndpointSubset[] };
      const previousSubsets = (request.object as { subsets?: EndpointSubset[] }).subsets;
      if (subsets && JSON.stringify(subsets) !== JSON.stringify(previousSubsets))
        expect(serialize(repackSubsets(subsets))).toBe(serialize(subsets));
      const { endpoints } = object as { endpoints?: readonly EndpointInput[] };
      if (endpoints) checkEndpoints(endpoints, (request.object as EndpointSliceInput).endpoints ?? []);
    }),
    runs,
  );
});

function checkEndpoints(endpoints: readonly EndpointInput[], before: readonly EndpointInput[]): void {
  const keys = endpoints.map(({ addresses }) => addresses?.[0]);
  expect(new Set(keys).size).toBe(keys.length);
  const unchangedEndpoints = new Set(before.map(serialize));
  for (const { conditions, hints, ...endpoint } of endpoints) {
    if (unchangedEndpoints.has(serialize({ ...endpoint, conditions, hints }))) continue;
    if (conditions?.ready === false) expect(hints).toBeUndefined();
    if (conditions?.terminating !== true && typeof conditions?.serving === 'boolean')
      expect(conditions.serving).toBe(conditions.ready !== false);
    if (conditions?.terminating === true) expect(conditions.ready).toBe(false);
  }
  const hadHints = before.filter((each) => each.conditions?.ready !== false).every(({ hints }) => hints);
  const readyEndpoints = endpoints.filter((each) => each.conditions?.ready !== false);
  if (hadHints) expect(new Set(readyEndpoints.map(({ hints }) => hints !== undefined)).size).toBeLessThan(2);
}

/** The ready addresses and all addresses of each port, by IP and pod, without terminating endpoints. */
function addressesByPort(object: EndpointsInput | EndpointSliceInput): Map<string, { ready: Set<string>; all: Set<string> }> {
  const counts = new Map<string, { ready: Set<string>; all: Set<string> }>();
  const addAddress = (port: string, key: string, ready: boolean): void => {
    const count = counts.get(port) ?? { ready: new Set(), all: new Set() };
    counts.set(port, count);
    count.all.add(key);
    if (ready) count.ready.add(key);
  };
  const { subsets } = object as EndpointsInput;
  for (const { addresses, notReadyAddresses, ports } of repackSubsets(subsets ?? [])) {
    for (const port of ports ?? [{ name: '' }]) {
      for (const { ip, targetRef } of addresses ?? []) addAddress(port.name ?? '', `${ip} ${targetRef?.uid}`, true);
      for (const { ip, targetRef } of notReadyAddresses ?? []) addAddress(port.name ?? '', `${ip} ${targetRef?.uid}`, false);
    }
  }
  for (const { addresses, targetRef, conditions } of (object as EndpointSliceInput).endpoints ?? []) {
    if (!conditions?.terminating) addAddress('', `${addresses?.[0]} ${targetRef?.uid}`, conditions?.ready !== false);
  }
  return counts;
}

test('keepReady keeps its minimum ready if enough addresses were or would be ready', () => {
  const minimums = fc.constantFrom<number | string>(1, 2, 3, '50%', '100%');
  const others = fc
    .array(anyRule(), { maxLength: 4 })
    .map((rules) => rules.filter(({ action }) => !('keepReady' in action || 'drop' in action || 'refuse' in action || 'freeze' in action)));
  fc.assert(
    fc.property(minimums, others, fc.nat(4), requests, (atLeast, rules, index, request) => {
      const set = { rules: withNames(rules.toSpliced(index, 0, { action: { keepReady: { atLeast } } })) };
      if (!isValid(set)) return;
      const { object } = createOverrides(set).apply(request);
      const [written, stored, shown] = [addressesByPort(request.object), addressesByPort(request.oldObject ?? {}), addressesByPort(object)];
      for (const [port, { ready, all }] of written) {
        const wasReady = [...(stored.get(port)?.ready ?? [])].filter((key) => all.has(key));
        const possible = new Set([...ready, ...wasReady]).size;
        const required = typeof atLeast === 'number' ? atLeast : Math.ceil((all.size * Number.parseInt(atLeast, 10)) / 100);
        expect(shown.get(port)?.ready.size ?? 0).toBeGreaterThanOrEqual(Math.min(required, possible));
      }
    }),
    runs,
  );
});

test('audit rules change nothing', () => {
  fc.assert(
    fc.property(fc.array(anyRule('stateful'), { minLength: 1, maxLength: 4 }), requests, (rules, request) => {
      const set = { rules: withNames(rules).map((rule) => ({ ...rule, mode: 'audit' as const })) };
      if (!isValid(set)) return;
      const { changed, refused, decisions } = createOverrides(set).apply(request);
      expect({ changed, refused, audits: decisions.every(({ audit }) => audit) }).toEqual({
        changed: false,
        refused: undefined,
        audits: true,
      });
    }),
    runs,
  );
});
