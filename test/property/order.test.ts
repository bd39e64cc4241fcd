import { expect, it } from 'vitest';
import { computeEndpoints, createReconciler } from '../../src/index.ts';
import type { Pod } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { lookalikePodLists, podLists, services } from './arbitraries.ts';
import { checkInEveryRelease } from './check.ts';

const withShuffled = (pods: fc.Arbitrary<Pod[]>): fc.Arbitrary<{ pods: Pod[]; shuffledPods: Pod[] }> =>
  pods.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }).map((shuffledPods) => ({ pods: list, shuffledPods })));

it.each([
  ['pods with unique UIDs', podLists],
  ['pods that the controller treats as one address', lookalikePodLists],
])('the computed Endpoints do not depend on the order of %s', (_, lists) => {
  checkInEveryRelease(
    fc.record({ service: services, lists: withShuffled(lists) }),
    ({ service, lists: { pods, shuffledPods } }, version) => {
      expect(JSON.stringify(computeEndpoints(service, shuffledPods, { version }))).toBe(
        JSON.stringify(computeEndpoints(service, pods, { version })),
      );
    },
  );
});

it('the plan does not depend on the order of the pods', () => {
  checkInEveryRelease(
    fc.record({ service: services, lists: withShuffled(lookalikePodLists) }),
    ({ service, lists: { pods, shuffledPods } }, version) => {
      const plan = (list: Pod[]) => createReconciler({ version }).reconcile({ key: 'shop/web', service, pods: list, current: {} });
      expect(JSON.stringify(plan(shuffledPods))).toBe(JSON.stringify(plan(pods)));
    },
    30,
  );
});
