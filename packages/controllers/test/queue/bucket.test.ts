import { describe, expect, test } from 'vitest';
import { createBucket } from '../../src/queue/limiter.ts';
import { createClock } from './clock.ts';

describe('tokens that are reserved', () => {
  test('are there at once as long as there are some, then each later than the one before', () => {
    const bucket = createBucket({ clock: createClock(), rate: 10, burst: 3 });
    expect([1, 2, 3, 4, 5, 6].map(() => bucket.reserve())).toEqual([0, 0, 0, 100, 200, 300]);
  });

  test('come back with time, and never more than it holds', () => {
    const clock = createClock();
    const bucket = createBucket({ clock, rate: 10, burst: 2 });
    for (let i = 0; i < 4; i++) bucket.reserve();
    clock.advance(150);
    expect(bucket.reserve()).toBe(150);
    clock.advance(60_000);
    expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100]);
  });
});

describe('tokens that are taken only where there are some', () => {
  test('are not owed', () => {
    const clock = createClock();
    const bucket = createBucket({ clock, rate: 1 / 300, burst: 2 });
    expect([bucket.accept(), bucket.accept(), bucket.accept(), bucket.accept()]).toEqual([true, true, false, false]);
    clock.advance(299_999);
    expect(bucket.accept()).toBe(false);
    clock.advance(1);
    expect([bucket.accept(), bucket.accept()]).toEqual([true, false]);
  });
});

test('the time of day does not matter', () => {
  const clock = createClock();
  const bucket = createBucket({ clock, rate: 1, burst: 1 });
  expect(bucket.accept()).toBe(true);
  clock.setTimeOfDay(clock.now() + 86_400_000);
  expect(bucket.accept()).toBe(false);
  clock.setTimeOfDay(0);
  clock.advance(1000);
  expect(bucket.accept()).toBe(true);
});
