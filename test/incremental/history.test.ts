import { it } from 'vitest';
import { sliceVersions, versions } from '../property/releases.ts';
import { fc } from '../support/property.ts';
import { sampledRunCount } from '../support/sample.ts';
import { histories } from './history-commands.ts';
import { createSubject, Model, type Options } from './history-model.ts';

const options: fc.Arbitrary<Options> = fc.record({
  version: fc.constantFrom(...versions, ...sliceVersions),
  maxEndpointsPerSlice: fc.integer({ min: 1, max: 5 }),
  minIndexedPods: fc.integer({ min: 0, max: 4 }),
});

it('a reconciler plans what the specification plans for the last state, regardless of its history', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(options, histories(150), (setting, commands) => {
      fc.modelRun(() => ({ model: new Model(setting), real: createSubject(setting) }), commands);
    }),
    { numRuns: sampledRunCount(600, 0.15) },
  );
});
