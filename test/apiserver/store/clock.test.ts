import { expect, test } from 'vitest';
import { systemClock } from '../../../src/apiserver/store/clock.ts';

test('calls back, unless cancelled', async () => {
  const calls: string[] = [];
  systemClock.schedule(() => calls.push('cancelled'), 0).cancel();
  await new Promise<void>((resolve) => {
    const keepsAlive = setInterval(() => {}, 1000);
    systemClock.schedule(() => {
      clearInterval(keepsAlive);
      resolve();
    }, 0);
  });
  expect(calls).toEqual([]);
});

test('a delay that no timer can hold is not taken for none', () => {
  let called = false;
  const call = systemClock.schedule(() => {
    called = true;
  }, Number.MAX_SAFE_INTEGER);
  call.cancel();
  expect(called).toBe(false);
  expect(systemClock.now()).toBeGreaterThan(1_600_000_000_000);
});
