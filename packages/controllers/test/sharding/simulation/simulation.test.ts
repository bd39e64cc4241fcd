import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../test/support/sample.ts';
import { createSharding } from '../../../src/sharding/index.ts';
import type { Parts, Subject } from '../../election/simulation/run.ts';
import { ignoresClaims, trustsTimeOfDay, trustsTimers } from '../../election/simulation/sabotage.ts';
import { findSabotage, runSeeds, seedsFrom } from '../../election/simulation/seeds.ts';

const sharding = {
  keys: Array.from({ length: 12 }, (_, i) => `shop/web-${i}`),
  create: (parts: Parts): Subject => createSharding({ ...parts, name: 'controllers' }),
};

test('no key ever has two owners under faults, and each key has one owner after them', async () => {
  const { problems, steps, owned } = await runSeeds(seedsFrom(0, 20), 'packages/controllers/test/sharding/simulation', sharding);
  expect(problems).toEqual([]);
  expect(steps).toBeGreaterThan(500);
  expect(owned).toBeGreaterThan(0.2);
});

describe('the simulation detects a sharding that', () => {
  test.each(sampled([trustsTimers, trustsTimeOfDay, ignoresClaims], 3))('$name', async (sabotage) => {
    expect(await findSabotage(sabotage, sharding, 60)).toMatch(/is owned by replica-\d+ and replica-\d+/);
  });
});
