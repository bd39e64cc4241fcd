import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/sample.ts';
import { churn } from './churn.ts';

const first = Number(process.env['CHURN_SEED'] ?? 1);
const seeds = Array.from({ length: Number(process.env['CHURN_SEEDS'] ?? runs(12, 0.25)) }, (_, i) => first + i);

test.each(seeds)('after random changes (seed %i), the final objects match the inputs and each is written once', async (seed) => {
  expect(await churn({ seed, steps: 120, faults: false })).toEqual([]);
});

test.each(seeds)('calls that fail and watches that break (seed %i) change nothing of that', async (seed) => {
  expect(await churn({ seed, steps: 120, faults: true })).toEqual([]);
});

test.each(['1.21', '1.24', '1.27', '1.31', '1.34'])('at %s, objects match the cluster after random changes and faults', async (version) => {
  expect(await churn({ seed: first, steps: 120, version, faults: true })).toEqual([]);
});
