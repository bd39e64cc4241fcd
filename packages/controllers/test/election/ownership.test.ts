import { expect, test } from 'vitest';
import { pause } from '../../src/base/time.ts';
import { createAlone, createChangeListeners, drain, isStale, observe, ownsAll } from '../../src/election/ownership.ts';
import { createMachine } from './simulation/machine.ts';
import { createWorld } from './simulation/world.ts';

test('ownsAll owns every key forever', () => {
  expect(ownsAll.owns('shop/web')).toBe(true);
  ownsAll.onChange(() => expect.unreachable())();
});

test('createAlone owns every key until aborted, then none, and notifies listeners', async () => {
  const { ownership, run } = createAlone();
  const answers: boolean[] = [];
  ownership.onChange(() => answers.push(ownership.owns('shop/web')));
  const end = new AbortController();
  const ended = run(end.signal);
  expect([ownership.owns('shop/web'), answers]).toEqual([true, []]);
  end.abort();
  await ended;
  expect(answers).toEqual([false]);
});

test('observe keeps the time at which the current state was first seen', () => {
  const first = observe(undefined, 'a', 100);
  expect(first).toEqual({ text: 'a', at: 100 });
  expect(observe(first, 'a', 200)).toEqual({ text: 'a', at: 100 });
  expect(observe(first, 'b', 200)).toEqual({ text: 'b', at: 200 });
});

test('isStale holds once the state is unchanged for the given duration', () => {
  const seen = observe(undefined, 'a', 100);
  expect(isStale(seen, 15, 114)).toBe(false);
  expect(isStale(seen, 15, 115)).toBe(true);
});

test('a listener is called once per registration until removed', () => {
  const { add, call } = createChangeListeners();
  const calls: string[] = [];
  const listener = (): void => void calls.push('a');
  const stop = add(listener);
  add(listener);
  call();
  expect(calls).toEqual(['a', 'a']);
  stop();
  stop();
  call();
  expect(calls).toEqual(['a', 'a', 'a']);
});

test('a listener added by another listener is called from the next change on', () => {
  const { add, call } = createChangeListeners();
  const calls: string[] = [];
  add(() => void add(() => void calls.push('late')));
  call();
  expect(calls).toEqual([]);
  call();
  expect(calls).toEqual(['late']);
});

const world = createWorld(1);
const { clock } = createMachine(world);

test('drain resolves at once without beforeRelease', async () => {
  await expect(drain(clock, { beforeRelease: undefined, drainTimeout: 0 })).resolves.toBeUndefined();
});

test('drain waits for beforeRelease', async () => {
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

test('drain returns an error if beforeRelease times out or fails', async () => {
  const late = drain(clock, { beforeRelease: () => pause(clock, 500), drainTimeout: 100 });
  await world.pass(100);
  await expect(late).resolves.toMatchObject({
    message: 'the work did not stop before the Lease had to be released: no answer within 100 ms',
  });
  const failing = drain(clock, { beforeRelease: () => Promise.reject('stuck'), drainTimeout: 100 });
  await expect(failing).resolves.toMatchObject({ cause: 'stuck', message: expect.stringContaining('released: stuck') });
});
