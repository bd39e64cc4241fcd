import { expect, it } from 'vitest';
import { compareReleases, diagnoseService, explainService } from '../../src/explain/index.ts';
import {
  computeEndpoints,
  createReconciler,
  createSelectorCache,
  explainEndpoints,
  isPodEligible,
  repackSubsets,
  shouldPodBeInEndpoints,
} from '../../src/index.ts';
import type { EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { existingEndpoints, lookalikePodLists, services } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';

/** Randomly removes or empties parts of a value: fields become absent, null or undefined, objects and lists become empty. */
function erode(value: unknown, draw: () => number): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const chance = draw() % 8;
  if (Array.isArray(value)) return chance === 0 ? [] : value.map((each) => erode(each, draw));
  if (chance === 0) return {};
  const entries = Object.entries(value).map(([key, each]) => [key, draw() % 12 === 0 ? null : erode(each, draw)] as const);
  return Object.fromEntries(entries.filter(() => draw() % 8 !== 0).map(([key, each]) => [key, draw() % 10 === 0 ? undefined : each]));
}

const erodeValues = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(arbitrary, fc.array(fc.nat({ max: 1000 }), { minLength: 40, maxLength: 80 })).map(([value, draws]) => {
    let next = 0;
    return erode(value, () => draws[next++ % draws.length] ?? 0) as T;
  });

const garbage = fc.record({
  service: fc.oneof(erodeValues(services), fc.constantFrom<Service>({}, { metadata: null }, { spec: null }, { spec: { selector: {} } })),
  pods: fc.oneof(
    erodeValues(lookalikePodLists),
    fc.constantFrom<Pod[]>([{}], [{ metadata: null, spec: null, status: null }, {}], [{ status: {} }]),
  ),
  current: fc.oneof(
    erodeValues(existingEndpoints),
    fc.constantFrom<EndpointsInput | undefined>(undefined, {}, { metadata: null, subsets: null }, { subsets: [{}] }),
  ),
});

it('objects with any fields missing are computed and explained in every release', () => {
  checkInEveryRelease(garbage, ({ service, pods, current }, version) => {
    const endpoints = computeEndpoints(service, pods, { version });
    const explained = explainEndpoints(service, pods, { version });
    expect(explained.length).toBe(pods.length);
    expect(explained.some(({ included }) => included)).toBe((endpoints?.subsets ?? []).length > 0);
    const explanation = explainService(service, pods, { version, current });
    expect(explanation.managed).toBe(endpoints !== undefined);
    const causes = diagnoseService(
      service,
      explanation,
      { pods, services: [service], endpoints: current ? [current] : [], slices: [] },
      { version },
    );
    // A managed Service without a ready endpoint is broken.
    if (explanation.managed && explanation.counts.ready === 0) expect(causes[0]?.severity).toBe('error');
    for (const { message, fix } of causes) expect(`${message} ${fix.text}`).not.toMatch(/[{}]/);
    expect(compareReleases(service, pods, { from: '1.17', to: version }).after).toEqual(endpoints);
    const plan = createReconciler({ version }).reconcile({ key: 'a/b', service, pods, current });
    expect(plan.reasons.length).toBeGreaterThan(0);
    expect(repackSubsets(current?.subsets ?? [], { version })).toBeInstanceOf(Array);
    for (const pod of pods) {
      expect(typeof shouldPodBeInEndpoints(pod, { version })).toBe('boolean');
      expect(typeof isPodEligible(pod, { version })).toBe('boolean');
    }
  });
});

it('createSelectorCache accepts objects with any fields missing', () => {
  fc.assert(
    fc.property(garbage, ({ service, pods }) => {
      const cache = createSelectorCache();
      cache.set('a/b', service);
      for (const pod of pods) expect(cache.servicesFor(pod).length).toBeLessThan(2);
      cache.delete('a/b');
      for (const pod of pods) expect(cache.servicesFor(pod)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
