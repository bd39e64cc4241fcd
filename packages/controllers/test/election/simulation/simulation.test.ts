import { describe, expect, test } from 'vitest';
import { createLeaderElection } from '../../../src/election/index.ts';
import { durationsByTimeOfDay, ownershipByTimers, takeoverByRenewTime, unconditionalWrites, unconfirmedWrites } from './planted-bugs.ts';
import type { Coordinator, Dependencies } from './run.ts';
import { findProblem, runSeeds, seedsFrom } from './seeds.ts';

const election = {
  keys: ['shop/web'],
  create: (dependencies: Dependencies): Coordinator => createLeaderElection({ ...dependencies, name: 'controllers' }),
};

test('no two replicas lead at the same time during faults, and one replica leads afterwards', async () => {
  const { problems, steps, ownedShare } = await runSeeds(seedsFrom(0, 80), 'packages/controllers/test/election/simulation', election);
  expect(problems).toEqual([]);
  expect(steps).toBeGreaterThan(300);
  expect(ownedShare).toBeGreaterThan(0.2);
});

describe('the simulation of a wrong leader election', () => {
  test.each([ownershipByTimers, durationsByTimeOfDay, takeoverByRenewTime, unconditionalWrites, unconfirmedWrites])(
    'detects that it $name',
    async (plantedBug) => {
      expect(await findProblem(plantedBug, election, 60)).toMatch(/is owned by replica-\d+ and replica-\d+/);
    },
  );
});
