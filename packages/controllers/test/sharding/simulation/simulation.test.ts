import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../test/support/sample.ts';
import { createSharding } from '../../../src/sharding/index.ts';
import { durationsByTimeOfDay, hiddenClaims, ownershipByTimers } from '../../election/simulation/planted-bugs.ts';
import type { Coordinator, Dependencies } from '../../election/simulation/run.ts';
import { findProblem, runSeeds, seedsFrom } from '../../election/simulation/seeds.ts';

const sharding = {
  keys: Array.from({ length: 12 }, (_, i) => `shop/web-${i}`),
  create: (dependencies: Dependencies): Coordinator => createSharding({ ...dependencies, name: 'controllers' }),
};

test('no key has two owners during faults, and each key has one owner afterwards', async () => {
  const { problems, steps, ownedShare } = await runSeeds(seedsFrom(0, 20), 'packages/controllers/test/sharding/simulation', sharding);
  expect(problems).toEqual([]);
  expect(steps).toBeGreaterThan(500);
  expect(ownedShare).toBeGreaterThan(0.2);
});

describe('the simulation of a wrong sharding', () => {
  test.each(sampled([ownershipByTimers, durationsByTimeOfDay, hiddenClaims], 3))('detects that it $name', async (plantedBug) => {
    expect(await findProblem(plantedBug, sharding, 60)).toMatch(/is owned by replica-\d+ and replica-\d+/);
  });
});
