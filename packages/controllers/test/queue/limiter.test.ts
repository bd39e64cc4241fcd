import { describe, expect, test } from 'vitest';
import { combineLimiters, createBucket, createBucketLimiter, createExponentialLimiter, defaultLimiter } from '../../src/queue/limiter.ts';
import { createClock } from './clock.ts';

const repeat = (count: number, call: () => number): number[] => Array.from({ length: count }, call);

describe('the exponential limiter', () => {
  test('doubles from 5 ms up to 1,000 s', () => {
    const limiter = createExponentialLimiter();
    const delays = repeat(20, () => limiter.delay('a'));
    expect(delays.slice(0, 15)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920]);
    expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
    expect(limiter.failures('a')).toBe(20);
  });

  test('stays at its maximum delay', () => {
    const limiter = createExponentialLimiter({ base: 1, max: 50 });
    expect(Math.max(...repeat(2000, () => limiter.delay('a')))).toBe(50);
  });

  test('counts failures per key until forgotten', () => {
    const limiter = createExponentialLimiter({ base: 1 });
    expect([limiter.delay('a'), limiter.delay('a'), limiter.delay('b')]).toEqual([1, 2, 1]);
    limiter.forget('a');
    expect([limiter.failures('a'), limiter.failures('b'), limiter.delay('a')]).toEqual([0, 1, 1]);
  });
});

describe('the bucket limiter', () => {
  test('allows a hundred keys at once, then ten per second, across keys', () => {
    const limiter = createBucketLimiter({ clock: createClock() });
    const delays = Array.from({ length: 103 }, (_, i) => limiter.delay(`key-${i}`));
    expect(delays.filter((delay) => delay === 0)).toHaveLength(100);
    expect(delays.slice(100)).toEqual([100, 200, 300]);
    limiter.forget('key-1');
    expect(limiter.failures('key-1')).toBe(0);
  });
});

describe('a combined limiter', () => {
  test('returns the longest delay and forgets the key in each limiter', () => {
    const [short, long] = [createExponentialLimiter({ base: 1 }), createExponentialLimiter({ base: 100, max: 100 })];
    const limiter = combineLimiters(short, long);
    expect(repeat(9, () => limiter.delay('a'))).toEqual([100, 100, 100, 100, 100, 100, 100, 128, 256]);
    short.delay('a');
    expect(limiter.failures('a')).toBe(10);
    limiter.forget('a');
    expect([limiter.failures('a'), short.failures('a'), long.failures('a')]).toEqual([0, 0, 0]);
  });

  test('consists of the exponential and the bucket limiter by default', () => {
    const limiter = defaultLimiter(createClock());
    expect(repeat(4, () => limiter.delay('a'))).toEqual([5, 10, 20, 40]);
    for (let i = 0; i < 96; i++) limiter.delay(`key-${i}`);
    expect([limiter.delay('new'), limiter.delay('a')]).toEqual([100, 200]);
  });
});

describe('bucket.reserve', () => {
  test('returns 0 while there are tokens, then increasing delays', () => {
    const bucket = createBucket({ clock: createClock(), rate: 10, burst: 3 });
    expect([1, 2, 3, 4, 5, 6].map(() => bucket.reserve())).toEqual([0, 0, 0, 100, 200, 300]);
  });

  test('regains tokens over time up to the burst', () => {
    const clock = createClock();
    const bucket = createBucket({ clock, rate: 10, burst: 2 });
    for (let i = 0; i < 4; i++) bucket.reserve();
    clock.advance(150);
    expect(bucket.reserve()).toBe(150);
    clock.advance(60_000);
    expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100]);
  });
});

describe('bucket.accept', () => {
  test('returns false without a token and reserves no token', () => {
    const clock = createClock();
    const bucket = createBucket({ clock, rate: 1 / 300, burst: 2 });
    expect([bucket.accept(), bucket.accept(), bucket.accept(), bucket.accept()]).toEqual([true, true, false, false]);
    clock.advance(299_999);
    expect(bucket.accept()).toBe(false);
    clock.advance(1);
    expect([bucket.accept(), bucket.accept()]).toEqual([true, false]);
  });
});

test('the bucket is independent of the time of day', () => {
  const clock = createClock();
  const bucket = createBucket({ clock, rate: 1, burst: 1 });
  expect(bucket.accept()).toBe(true);
  clock.setTimeOfDay(clock.now() + 86_400_000);
  expect(bucket.accept()).toBe(false);
  clock.setTimeOfDay(0);
  clock.advance(1000);
  expect(bucket.accept()).toBe(true);
});
