import { expect, it } from 'vitest';
import { createGate } from '../../src/faults/gate.ts';
import { createClock } from '../store/support.ts';

function createSubject(signal?: AbortSignal) {
  const clock = createClock();
  const said: unknown[] = [];
  const gate = createGate(clock, { open: () => said.push('open'), abort: (reason) => said.push(reason) }, signal);
  return { clock, said, gate };
}

it('stays closed until it is opened, and says so once', () => {
  const { clock, said, gate } = createSubject();
  gate.open();
  expect([gate.closed, said]).toEqual([false, []]);
  gate.close();
  clock.advance(1e9);
  expect(gate.closed).toBe(true);
  gate.open();
  gate.open();
  expect([gate.closed, said]).toEqual([false, ['open']]);
});

it('opens by itself when its time is over; the last word on that counts', () => {
  const { clock, said, gate } = createSubject();
  gate.close(5);
  gate.close(10);
  clock.advance(9);
  expect(gate.closed).toBe(true);
  clock.advance(1);
  expect([gate.closed, said, clock.scheduled]).toEqual([false, ['open'], 0]);
});

it('tells whoever waits before it when a signal ends that', () => {
  const controller = new AbortController();
  const { said, gate, clock } = createSubject(controller.signal);
  gate.close(5);
  gate.leave();
  controller.abort('first');
  expect([said, clock.scheduled]).toEqual([[], 0]);
  gate.close();
  expect(said).toEqual(['first']);
});
