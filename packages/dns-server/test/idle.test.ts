import { expect, test } from 'vitest';
import { createClock } from '../../controllers/test/queue/clock.ts';
import { createIdleTimer } from '../src/idle.ts';

test('it calls once nothing has happened for so long', () => {
  const clock = createClock();
  let expired = 0;
  const idle = createIdleTimer(clock, 1000, () => void expired++);
  clock.advance(900);
  idle.restart();
  clock.advance(999);
  expect([expired, clock.scheduled]).toEqual([0, 1]);
  clock.advance(1);
  expect([expired, clock.scheduled]).toEqual([1, 0]);
});

test('it does not call once it is stopped', () => {
  const clock = createClock();
  createIdleTimer(clock, 1000, () => expect.unreachable()).stop();
  clock.advance(5000);
  expect(clock.scheduled).toBe(0);
});
