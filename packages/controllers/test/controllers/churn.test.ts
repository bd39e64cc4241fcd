import { expect, test } from 'vitest';
import { sampledRunCount } from '../../../../test/support/sample.ts';
import { churn } from './churn.ts';

const firstSeed = Number(process.env['CHURN_SEED'] ?? 1);
const seeds = Array.from({ length: Number(process.env['CHURN_SEEDS'] ?? sampledRunCount(12, 0.25)) }, (_, i) => firstSeed + i);

test.each(seeds)('after random changes (seed %i), the objects match the cluster and are not written again', async (seed) => {
  expect(await churn({ seed, steps: 120, faults: false })).toEqual([]);
});

test.each(seeds)('after random changes with failed calls and broken watches (seed %i), the objects match the cluster', async (seed) => {
  expect(await churn({ seed, steps: 120, faults: true })).toEqual([]);
});

test.each(['1.9', '1.12', '1.15', '1.18', '1.20', '1.21', '1.24', '1.27', '1.31', '1.34'])(
  'in release %s, objects match the cluster after faults',
  async (version) => {
    expect(await churn({ seed: firstSeed, steps: 120, version, faults: true })).toEqual([]);
  },
);
