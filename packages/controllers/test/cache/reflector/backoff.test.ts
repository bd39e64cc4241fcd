import { describe, expect, it } from 'vitest';
import { createBackoff } from '../../../src/cache/reflector/reflector.ts';
import { createTestClock } from '../support.ts';

describe('createBackoff', () => {
  it('doubles from 800 ms to 30 s', () => {
    const backoff = createBackoff(createTestClock(), () => 0);
    expect(Array.from({ length: 8 }, backoff.grow)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('lengthens each by as much again at most', () => {
    const draws = [0, 0.25, 0.999];
    const backoff = createBackoff(createTestClock(), () => draws.shift() as number);
    expect(Array.from({ length: 3 }, backoff.grow)).toEqual([800, 1600 * 1.25, 3200 * 1.999]);
  });

  it('begins anew two minutes after the last delay was over, and not before', async () => {
    const clock = createTestClock();
    const backoff = createBackoff(clock, () => 0);
    backoff.grow();
    await clock.pass(800 + 119_999);
    expect(backoff.grow()).toBe(1600);
    await clock.pass(1600 + 120_000);
    expect(backoff.grow()).toBe(800);
  });

  it('does not take the time of day for time that passed', () => {
    const clock = createTestClock();
    const backoff = createBackoff(clock, () => 0);
    backoff.grow();
    clock.set(clock.now() + 3_600_000);
    expect(backoff.grow()).toBe(1600);
  });

  it('has a shortest wait, of which nothing grows', () => {
    const backoff = createBackoff(createTestClock(), () => 0.5);
    expect([backoff.least(), backoff.least(), backoff.grow()]).toEqual([1200, 1200, 1200]);
  });
});
