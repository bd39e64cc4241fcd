import { expect, it } from 'vitest';
import { computeEndpoints, createReconciler } from '../../src/index.ts';
import type { Pod } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { lookalikePodLists, podLists, services } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';

const shuffled = (pods: fc.Arbitrary<Pod[]>): fc.Arbitrary<{ pods: Pod[]; mixed: Pod[] }> =>
  pods.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }).map((mixed) => ({ pods: list, mixed })));

it.each([
  ['pods with UIDs of their own', podLists],
  ['pods that are one address to the controller', lookalikePodLists],
])('any order of %s gives the same bytes', (_, lists) => {
  checkInEveryRelease(fc.record({ service: services, lists: shuffled(lists) }), ({ service, lists: { pods, mixed } }, version) => {
    expect(JSON.stringify(computeEndpoints(service, mixed, { version }))).toBe(
      JSON.stringify(computeEndpoints(service, pods, { version })),
    );
  });
});

it('any order of pods gives the same plan', () => {
  checkInEveryRelease(
    fc.record({ service: services, lists: shuffled(lookalikePodLists) }),
    ({ service, lists: { pods, mixed } }, version) => {
      const plan = (list: Pod[]) => createReconciler({ version }).reconcile({ key: 'shop/web', service, pods: list, current: {} });
      expect(JSON.stringify(plan(mixed))).toBe(JSON.stringify(plan(pods)));
    },
    30,
  );
});
