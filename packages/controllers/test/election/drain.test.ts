import { expect, test } from 'vitest';
import { drain } from '../../src/election/ownership.ts';
import { pause } from '../../src/time.ts';
import { createMachine } from './simulation/machine.ts';
import { createWorld } from './simulation/world.ts';

const world = createWorld(1);
const { clock } = createMachine(world);

test('there is nothing to wait for where nothing is to be done', async () => {
  await expect(drain(clock, { beforeRelease: undefined, drainTimeout: 0 })).resolves.toBeUndefined();
});

test('waits for the work', async () => {
  let ended = false;
  const drained = drain(clock, { beforeRelease: () => pause(clock, 50), drainTimeout: 100 }).then((obstacle) => {
    ended = true;
    return obstacle;
  });
  await world.pass(49);
  expect(ended).toBe(false);
  await world.pass(1);
  await expect(drained).resolves.toBeUndefined();
});

test('work that takes too long, or fails, is an obstacle', async () => {
  const late = drain(clock, { beforeRelease: () => pause(clock, 500), drainTimeout: 100 });
  await world.pass(100);
  await expect(late).resolves.toMatchObject({
    message: 'the work did not end before its lease was to be released: no answer within 100 ms',
  });
  const failing = drain(clock, { beforeRelease: () => Promise.reject('stuck'), drainTimeout: 100 });
  await expect(failing).resolves.toMatchObject({ cause: 'stuck', message: expect.stringContaining('released: stuck') });
});
