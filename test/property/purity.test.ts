import { expect, it } from 'vitest';
import { compareReleases, diagnoseService, explainService } from '../../src/explain/index.ts';
import {
  computeEndpoints,
  createReconciler,
  createSelectorCache,
  explainEndpoints,
  isPodEligible,
  repackSubsets,
} from '../../src/index.ts';
import type { EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { existingEndpoints, lookalikePodLists, services } from './arbitraries.ts';
import { checkInEveryRelease, freezeDeeply, scramble } from './check.ts';

interface Objects {
  readonly service: Service;
  readonly pods: Pod[];
  readonly current: EndpointsInput | undefined;
}

const objects: fc.Arbitrary<Objects> = fc.record({ service: services, pods: lookalikePodLists, current: existingEndpoints });

/** Computes all results of the library for the objects. */
const computeAll = ({ service, pods, current }: Objects, version: string): Readonly<Record<string, unknown>> => {
  const reconciler = createReconciler({ version });
  const plan = reconciler.reconcile({ key: 'shop/web', service, pods, current });
  if (plan.object) reconciler.observe(plan.object);
  return {
    computed: computeEndpoints(service, pods, { version }),
    plan,
    again: reconciler.reconcile({ key: 'shop/web', service, pods, current }),
    repacked: repackSubsets(current?.subsets ?? [], { version }),
    explained: explainEndpoints(service, pods, { version }),
    service: explainService(service, pods, { version, current }),
    causes: diagnoseService(service, explainService(service, pods, { version, current }), { pods }, { version }),
    compared: compareReleases(service, pods, { from: version, to: '1.37' }),
    eligible: pods.map((pod) => isPodEligible(pod, { version })),
  };
};

it('frozen inputs give the same results as modifiable ones', () => {
  checkInEveryRelease(
    objects,
    (input, version) => {
      expect(computeAll(freezeDeeply(structuredClone(input)), version)).toEqual(computeAll(input, version));
    },
    10,
  );
});

it('changing a result affects neither inputs nor later results', () => {
  checkInEveryRelease(
    objects,
    (input, version) => {
      const before = structuredClone(input);
      const result = computeAll(input, version);
      const resultCopy = structuredClone(result);
      scramble(result);
      expect(input).toEqual(before);
      expect(computeAll(input, version)).toEqual(resultCopy);
    },
    10,
  );
});

it('a reconciler keeps no state that a caller can change', () => {
  checkInEveryRelease(
    objects,
    ({ service, pods, current }, version) => {
      const [usedReconciler, newReconciler] = [createReconciler({ version }), createReconciler({ version })];
      const mutableInput = structuredClone({ key: 'shop/web', service, pods, current });
      const plan = usedReconciler.reconcile(mutableInput);
      if (plan.object) usedReconciler.observe(plan.object);
      const freshPlan = newReconciler.reconcile({ key: 'shop/web', service, pods, current });
      if (freshPlan.object) newReconciler.observe(freshPlan.object);
      scramble(plan);
      scramble(mutableInput);
      // A new object, because before `serviceLabelsNotMutated` a sync of the same object finds its labels changed.
      const unseenInput = structuredClone({ key: 'shop/web', service, pods, current });
      expect(usedReconciler.reconcile(unseenInput)).toEqual(newReconciler.reconcile(structuredClone(unseenInput)));
    },
    20,
  );
});

it('a selector cache keeps no reference to its inputs', () => {
  fc.assert(
    fc.property(objects, ({ service, pods }) => {
      const [usedCache, newCache] = [createSelectorCache(), createSelectorCache()];
      const mutableInput = structuredClone(service);
      usedCache.set('shop/web', mutableInput);
      newCache.set('shop/web', service);
      for (const pod of pods) scramble(usedCache.servicesFor(pod));
      scramble(mutableInput);
      for (const pod of pods) expect(usedCache.servicesFor(pod)).toEqual(newCache.servicesFor(freezeDeeply(structuredClone(pod))));
    }),
    { numRuns: 50 },
  );
});
