import { expect, test } from 'vitest';
import { pause } from '../../src/base/time.ts';
import { createChangeListeners, createSingleReplica, drain, fullOwnership, isStale, observe } from '../../src/election/ownership.ts';
import { createMachine } from './simulation/machine.ts';
import { createSimulator } from './simulation/simulator.ts';

test('fullOwnership owns every key and never calls a listener', () => {
  expect(fullOwnership.owns('shop/web')).toBe(true);
  fullOwnership.onChange(() => expect.unreachable())();
});

test('a single replica owns every key until its signal is aborted, then owns no key and notifies its listeners', async () => {
  const { ownership, run } = createSingleReplica();
  const answers: boolean[] = [];
  ownership.onChange(() => answers.push(ownership.owns('shop/web')));
  const abortController = new AbortController();
  const ended = run(abortController.signal);
  expect([ownership.owns('shop/web'), answers]).toEqual([true, []]);
  abortController.abort();
  await ended;
  expect(answers).toEqual([false]);
});

test('observe keeps the time at which the text was first observed', () => {
  const first = observe(undefined, 'a', 100);
  expect(first).toEqual({ text: 'a', changedAt: 100 });
  expect(observe(first, 'a', 200)).toEqual({ text: 'a', changedAt: 100 });
  expect(observe(first, 'b', 200)).toEqual({ text: 'b', changedAt: 200 });
});

test('isStale returns true once the text has been unchanged for the duration', () => {
  const observation = observe(undefined, 'a', 100);
  expect(isStale(observation, 15, 114)).toBe(false);
  expect(isStale(observation, 15, 115)).toBe(true);
});

test('a listener that was added twice is called twice per change, and once after one of the two was removed', () => {
  const { add, notify } = createChangeListeners();
  const calls: string[] = [];
  const listener = (): void => void calls.push('a');
  const remove = add(listener);
  add(listener);
  notify();
  expect(calls).toEqual(['a', 'a']);
  remove();
  remove();
  notify();
  expect(calls).toEqual(['a', 'a', 'a']);
});

test('a listener added by another listener is called from the next change on', () => {
  const { add, notify } = createChangeListeners();
  const calls: string[] = [];
  add(() => void add(() => void calls.push('late')));
  notify();
  expect(calls).toEqual([]);
  notify();
  expect(calls).toEqual(['late']);
});

const simulator = createSimulator({ seed: 1 });
const { clock } = createMachine(simulator);

test('drain resolves at once without beforeRelease', async () => {
  await expect(drain(clock, { beforeRelease: undefined, drainTimeout: 0 })).resolves.toBeUndefined();
});

test('drain waits for beforeRelease', async () => {
  let ended = false;
  const drainResult = drain(clock, { beforeRelease: () => pause(clock, 50), drainTimeout: 100 }).then((error) => {
    ended = true;
    return error;
  });
  await simulator.pass(49);
  expect(ended).toBe(false);
  await simulator.pass(1);
  await expect(drainResult).resolves.toBeUndefined();
});

test('drain returns an error if beforeRelease times out or fails', async () => {
  const lateDrain = drain(clock, { beforeRelease: () => pause(clock, 500), drainTimeout: 100 });
  await simulator.pass(100);
  await expect(lateDrain).resolves.toMatchObject({
    message: 'the work did not stop before the Lease had to be released: no answer within 100 ms',
  });
  const failingDrain = drain(clock, { beforeRelease: () => Promise.reject('stuck'), drainTimeout: 100 });
  await expect(failingDrain).resolves.toMatchObject({ cause: 'stuck', message: expect.stringContaining('released: stuck') });
});
