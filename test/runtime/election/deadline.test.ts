import { expect, test } from 'vitest';
import { callWithin } from '../../../src/runtime/election/deadline.ts';
import { createMachine } from './simulation/machine.ts';
import { createWorld } from './simulation/world.ts';

const world = createWorld(1);
const { clock } = createMachine(world);
const never = (): Promise<never> => new Promise(() => undefined);

test('hands on what the call answers, or throws, even at once', async () => {
  await expect(callWithin(clock, 10, undefined, async () => 1)).resolves.toBe(1);
  await expect(callWithin(clock, 10, undefined, () => Promise.reject('no'))).rejects.toBe('no');
  const thrower = (): Promise<never> => {
    throw new Error('at once');
  };
  await expect(callWithin(clock, 10, undefined, thrower)).rejects.toThrow('at once');
});

test('a call that is not answered is given up when its time is over, and told so', async () => {
  let told: AbortSignal | undefined;
  const call = callWithin(clock, 100, undefined, (signal) => {
    told = signal;
    return never();
  });
  const result = expect(call).rejects.toThrow('no answer within 100 ms');
  await world.pass(99);
  expect(told?.aborted).toBe(false);
  await world.pass(1);
  expect(told?.aborted).toBe(true);
  await result;
});

test('an abort ends it at once, with the reason', async () => {
  const controller = new AbortController();
  const call = callWithin(clock, 100, controller.signal, never);
  controller.abort('stop');
  await expect(call).rejects.toBe('stop');
});

test('nothing is called after an abort', async () => {
  let called = false;
  const call = async (): Promise<void> => {
    called = true;
  };
  await expect(callWithin(clock, 100, AbortSignal.abort('stop'), call)).rejects.toBe('stop');
  expect(called).toBe(false);
});
