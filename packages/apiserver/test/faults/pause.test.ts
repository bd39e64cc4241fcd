import { expect, it } from 'vitest';
import { pause, type Waiting } from '../../src/faults/pause.ts';
import { createClock, isSettled } from '../store/support.ts';

it('ends when the time is over', async () => {
  const clock = createClock();
  const waiting: Waiting = new Set();
  const paused = pause(clock, 5, waiting);
  clock.advance(4);
  expect(await isSettled(paused)).toBe(false);
  clock.advance(1);
  await paused;
  expect([waiting.size, clock.scheduled]).toEqual([0, 0]);
});

it('ends when it is stopped or aborted, before or meanwhile', async () => {
  const clock = createClock();
  const waiting: Waiting = new Set();
  const controller = new AbortController();
  const stopped = pause(clock, 5, waiting, controller.signal);
  for (const stop of waiting) stop(new Error('stop'));
  await expect(stopped).rejects.toThrow('stop');
  const aborted = pause(clock, 5, waiting, controller.signal);
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  await expect(pause(clock, 5, waiting, controller.signal)).rejects.toThrow('enough');
  expect([waiting.size, clock.scheduled]).toEqual([0, 0]);
});
