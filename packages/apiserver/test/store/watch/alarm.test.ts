import { expect, test } from 'vitest';
import { createAlarm } from '../../../src/store/watch/alarm.ts';
import { createClock } from '../support.ts';

function set() {
  const clock = createClock(0);
  const rung: number[] = [];
  return { clock, rung, alarm: createAlarm(clock, () => rung.push(clock.now())) };
}

test('rings once, at the earliest of the times it was set to', () => {
  const { clock, rung, alarm } = set();
  for (const at of [50, 30, 40]) alarm.set(at);
  expect(clock.scheduled).toBe(1);
  clock.advance(100);
  expect(rung).toEqual([30]);
});

test('can be set again, also to a time that is over, and cancelled', () => {
  const { clock, rung, alarm } = set();
  alarm.set(10);
  clock.advance(20);
  alarm.set(5);
  clock.advance(0);
  expect(rung).toEqual([10, 20]);
  alarm.set(30);
  alarm.cancel();
  expect(clock.scheduled).toBe(0);
});
