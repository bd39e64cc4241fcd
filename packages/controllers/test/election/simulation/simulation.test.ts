import { describe, expect, test } from 'vitest';
import { createLeaderElection } from '../../../src/election/index.ts';
import type { Parts, Subject } from './run.ts';
import { believesRenewTime, overwrites, trustsSending, trustsTimeOfDay, trustsTimers } from './sabotage.ts';
import { findSabotage, runSeeds, seedsFrom } from './seeds.ts';

const election = {
  keys: ['shop/web'],
  create: (parts: Parts): Subject => createLeaderElection({ ...parts, name: 'controllers' }),
};

test('no two replicas ever lead at once under faults, and one leads after them', async () => {
  const { problems, steps, owned } = await runSeeds(seedsFrom(0, 80), 'packages/controllers/test/election/simulation', election);
  expect(problems).toEqual([]);
  expect(steps).toBeGreaterThan(300);
  expect(owned).toBeGreaterThan(0.2);
});

describe('the simulation detects an election that', () => {
  test.each([trustsTimers, trustsTimeOfDay, believesRenewTime, overwrites, trustsSending])('$name', async (sabotage) => {
    expect(await findSabotage(sabotage, election, 60)).toMatch(/is owned by replica-\d+ and replica-\d+/);
  });
});
