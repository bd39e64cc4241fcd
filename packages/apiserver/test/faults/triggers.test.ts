import { expect, it } from 'vitest';
import { createFaultTriggers, type FaultTriggerOptions } from '../../src/faults/triggers.ts';
import { createClock } from '../store/support.ts';

/** Each letter of a value counts as one event. */
const splitter = {
  count: (text: string) => text.length,
  split: (text: string, events: number) => [text.slice(0, events), text.slice(events)] as const,
};

function createTestTriggers(options: Partial<FaultTriggerOptions<string>>) {
  const clock = createClock();
  const fired: string[] = [];
  const actions = { drop: () => fired.push('drop'), stall: () => fired.push('stall') };
  return { clock, fired, triggers: createFaultTriggers({ clock, drop: undefined, stall: undefined, splitter, ...options }, actions) };
}

it('fault triggers do not split values if there are no faults', () => {
  const { triggers, fired } = createTestTriggers({});
  expect(triggers.splitAtTrigger('abc')).toEqual({ part: 'abc' });
  triggers.fireDue();
  triggers.dispose();
  expect(fired).toEqual([]);
});

it('fault triggers split a value at the event that triggers a fault, and trigger each fault once', () => {
  const { triggers, fired } = createTestTriggers({
    stall: { fault: 'stallWatch', afterEvents: 2 },
    drop: { fault: 'dropWatch', afterEvents: 4 },
  });
  triggers.fireDue();
  expect([triggers.splitAtTrigger('abcdef'), fired]).toEqual([{ part: 'ab', rest: 'cdef' }, []]);
  triggers.fireDue();
  triggers.fireDue();
  expect([triggers.splitAtTrigger('cdef'), fired]).toEqual([{ part: 'cd', rest: 'ef' }, ['stall']]);
  triggers.fireDue();
  expect(fired).toEqual(['stall', 'drop']);
});

it('fault triggers count a value that cannot be split as one event', () => {
  const { triggers, fired } = createTestTriggers({ splitter: undefined, drop: { fault: 'dropWatch', afterEvents: 2 } });
  for (const value of ['abc', 'def']) {
    triggers.fireDue();
    expect([triggers.splitAtTrigger(value), fired]).toEqual([{ part: value }, []]);
  }
  triggers.fireDue();
  expect(fired).toEqual(['drop']);
});

it('a fault without limits is triggered immediately, others at the earlier of time and count, and none after dispose', () => {
  const immediate = createTestTriggers({ drop: { fault: 'dropWatch' } });
  immediate.triggers.fireDue();
  expect(immediate.fired).toEqual(['drop']);
  const byTimeOrCount = createTestTriggers({ drop: { fault: 'dropWatch', afterMilliseconds: 5, afterEvents: 1 } });
  byTimeOrCount.triggers.fireDue();
  expect([byTimeOrCount.fired, byTimeOrCount.clock.scheduled]).toEqual([[], 1]);
  byTimeOrCount.clock.advance(5);
  expect(byTimeOrCount.fired).toEqual(['drop']);
  const disposed = createTestTriggers({ stall: { fault: 'stallWatch', afterMilliseconds: 5 } });
  disposed.triggers.fireDue();
  disposed.triggers.dispose();
  disposed.clock.advance(5);
  expect(disposed.fired).toEqual([]);
});
