import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/port/clock.ts';

describe('systemClock', () => {
  test('schedule calls back unless cancelled', async () => {
    const calls: string[] = [];
    systemClock.schedule(() => calls.push('cancelled'), 0).cancel();
    await new Promise<void>((resolve) => systemClock.schedule(resolve, 0));
    expect(calls).toEqual([]);
  });

  test("schedule does not call back early for a delay beyond the timer's maximum", async () => {
    let called = false;
    const call = systemClock.schedule(() => {
      called = true;
    }, Number.MAX_SAFE_INTEGER);
    await new Promise<void>((resolve) => systemClock.schedule(resolve, 0));
    call.cancel();
    expect(called).toBe(false);
  });

  test('now returns the time of day, and elapsed never decreases', () => {
    expect(systemClock.now()).toBeGreaterThan(1_600_000_000_000);
    const before = systemClock.elapsed();
    expect(systemClock.elapsed()).toBeGreaterThanOrEqual(before);
  });
});
