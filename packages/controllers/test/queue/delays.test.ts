import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { createDelays, type Delays } from '../../src/queue/delays.ts';
import { createClock, type ManualClock } from './clock.ts';

interface Setup {
  readonly clock: ManualClock;
  readonly delays: Delays;
  /** "time key" in order, with an exclamation mark for a retry. */
  readonly delivered: string[];
}

function setUp(): Setup {
  const clock = createClock();
  const delivered: string[] = [];
  const delays = createDelays(clock, (key, retry) => delivered.push(`${clock.elapsed()} ${key}${retry ? '!' : ''}`));
  return { clock, delays, delivered };
}

test('each key is delivered at its time, with one timer at a time', () => {
  const { clock, delays, delivered } = setUp();
  delays.add('b', 20, false);
  delays.add('c', 30, true);
  delays.add('a', 10, false);
  expect([delays.size, clock.scheduled, clock.next]).toEqual([3, 1, 10]);
  clock.advance(10);
  expect([clock.scheduled, clock.next]).toEqual([1, 10]);
  clock.advance(100);
  expect(delivered).toEqual(['10 a', '20 b', '30 c!']);
  expect([delays.size, clock.scheduled]).toEqual([0, 0]);
});

test('the earlier of two delays of a key applies', () => {
  const { clock, delays, delivered } = setUp();
  delays.add('a', 50, false);
  delays.add('a', 80, false);
  delays.add('b', 60, false);
  delays.add('b', 40, true);
  expect(delays.size).toBe(2);
  clock.advance(100);
  expect(delivered).toEqual(['40 b!', '50 a']);
});

test('keys due at the same time are delivered in the order added', () => {
  const { clock, delays, delivered } = setUp();
  for (const key of ['d', 'a', 'c', 'b']) delays.add(key, 10, false);
  clock.advance(10);
  expect(delivered).toEqual(['10 d', '10 a', '10 c', '10 b']);
});

test('a key can be delayed again from its own delivery', () => {
  const clock = createClock();
  const delivered: number[] = [];
  const delays = createDelays(clock, (key) => {
    delivered.push(clock.elapsed());
    if (delivered.length < 3) delays.add(key, 5, false);
  });
  delays.add('a', 5, false);
  clock.advance(100);
  expect(delivered).toEqual([5, 10, 15]);
  expect(clock.scheduled).toBe(0);
});

test('a timer that fires early is rescheduled by at least a millisecond', () => {
  const clock = createClock();
  let earlyCalls = 3;
  const delivered: number[] = [];
  const scheduledMs: number[] = [];
  const earlyClock = {
    ...clock,
    schedule: (callback: () => void, milliseconds: number) => {
      scheduledMs.push(milliseconds);
      return clock.schedule(callback, earlyCalls-- > 0 ? milliseconds - 0.5 : milliseconds);
    },
  };
  const delays = createDelays(earlyClock, () => delivered.push(clock.elapsed()));
  delays.add('a', 2.3, false);
  clock.advance(50);
  expect(delivered).toEqual([2.5]);
  expect(scheduledMs).toEqual([3]);
  delays.add('b', 4, false);
  clock.advance(50);
  expect(delivered).toHaveLength(2);
  expect(scheduledMs.slice(1)).toEqual([4, 1]);
});

test('clear cancels all keys and the timer', () => {
  const { clock, delays, delivered } = setUp();
  delays.add('a', 10, false);
  delays.clear();
  expect([delays.size, clock.scheduled]).toEqual([0, 0]);
  delays.add('b', 20, false);
  clock.advance(100);
  expect(delivered).toEqual(['20 b']);
});

test('any keys with any delays are delivered in time order', () => {
  const addition = fc.record({ key: fc.integer({ min: 0, max: 30 }), delay: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 100 }), (additions) => {
      const { clock, delays, delivered } = setUp();
      const earliest = new Map<number, number>();
      for (const { key, delay } of additions) {
        delays.add(String(key), delay, false);
        earliest.set(key, Math.min(delay, earliest.get(key) ?? Number.POSITIVE_INFINITY));
      }
      clock.advance(40);
      // The sort is stable: keys due at the same time keep their order.
      const expected = [...earliest].sort(([, a], [, b]) => a - b).map(([key, delay]) => `${delay} ${key}`);
      expect(delivered).toEqual(expected);
    }),
  );
});
