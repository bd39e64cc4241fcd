import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeEndpointSlices } from '../../src/index.ts';
import type { EndpointInput, EndpointSliceInput } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { sliceVersions } from './releases.ts';
import { copyOf, essence, key, type RunOptions, runSteps, type Step, withStrangers } from './slices-run.ts';
import { type Change, stepLists } from './slices-world.ts';

/** A run over a sample, as for each of many mutants, takes fewer. */
const share = process.env['KUBE_ENDPOINTS_SAMPLE'] === undefined ? 1 : 0.4;

/** Checks every step of some worlds in every kind of release. */
function checkSteps(steps: number, numRuns: number, check: (step: Step, options: RunOptions) => void): void {
  const runs: fc.Arbitrary<{ max: number; steps: Change[][] }> = fc.record({ max: fc.integer({ min: 1, max: 5 }), steps: stepLists(steps) });
  fc.assert(
    fc.property(runs, ({ max, steps: list }) => {
      for (const version of sliceVersions) {
        const options = { version, maxEndpointsPerSlice: max };
        runSteps(list, options, (step) => check(step, options));
      }
    }),
    { numRuns: Math.max(1, Math.ceil(numRuns * share)) },
  );
}

it('a reconciler that saw every step plans what one made afresh plans over copies', () => {
  checkSteps(200, 5, ({ plan, next, fresh, freshNext }, { version }) => {
    if (essence(plan) !== essence(fresh())) expect(plan, version).toEqual(fresh());
    if (essence(next) !== essence(freshNext())) expect(next, version).toEqual(freshNext());
  });
});
