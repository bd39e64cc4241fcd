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
  const firedActions: string[] = [];
  const actions = { drop: () => firedActions.push('drop'), stall: () => firedActions.push('stall') };
  return {
    clock,
    firedActions,
    triggers: createFaultTriggers({ clock, drop: undefined, stall: undefined, splitter, ...options }, actions),
  };
}

it('fault triggers do not split values if there are no faults', () => {
  const { triggers, firedActions } = createTestTriggers({});
  expect(triggers.splitAtTrigger('abc')).toEqual({ firstPart: 'abc' });
  triggers.fireDueTriggers();
  triggers.dispose();
  expect(firedActions).toEqual([]);
});

it('fault triggers split a value at the event that triggers a fault, and trigger each fault once', () => {
  const { triggers, firedActions } = createTestTriggers({
    stall: { fault: 'stallWatch', afterEvents: 2 },
    drop: { fault: 'dropWatch', afterEvents: 4 },
  });
  triggers.fireDueTriggers();
  expect([triggers.splitAtTrigger('abcdef'), firedActions]).toEqual([{ firstPart: 'ab', rest: 'cdef' }, []]);
  triggers.fireDueTriggers();
  triggers.fireDueTriggers();
  expect([triggers.splitAtTrigger('cdef'), firedActions]).toEqual([{ firstPart: 'cd', rest: 'ef' }, ['stall']]);
  triggers.fireDueTriggers();
  expect(firedActions).toEqual(['stall', 'drop']);
});

it('fault triggers count a value that cannot be split as one event', () => {
  const { triggers, firedActions } = createTestTriggers({ splitter: undefined, drop: { fault: 'dropWatch', afterEvents: 2 } });
  for (const value of ['abc', 'def']) {
    triggers.fireDueTriggers();
    expect([triggers.splitAtTrigger(value), firedActions]).toEqual([{ firstPart: value }, []]);
  }
  triggers.fireDueTriggers();
  expect(firedActions).toEqual(['drop']);
});

it('a fault without limits is triggered immediately, others at the earlier of time and count, and none after dispose', () => {
  const immediateTriggers = createTestTriggers({ drop: { fault: 'dropWatch' } });
  immediateTriggers.triggers.fireDueTriggers();
  expect(immediateTriggers.firedActions).toEqual(['drop']);
  const limitedTriggers = createTestTriggers({ drop: { fault: 'dropWatch', afterMilliseconds: 5, afterEvents: 1 } });
  limitedTriggers.triggers.fireDueTriggers();
  expect([limitedTriggers.firedActions, limitedTriggers.clock.scheduled]).toEqual([[], 1]);
  limitedTriggers.clock.advance(5);
  expect(limitedTriggers.firedActions).toEqual(['drop']);
  const disposedTriggers = createTestTriggers({ stall: { fault: 'stallWatch', afterMilliseconds: 5 } });
  disposedTriggers.triggers.fireDueTriggers();
  disposedTriggers.triggers.dispose();
  disposedTriggers.clock.advance(5);
  expect(disposedTriggers.firedActions).toEqual([]);
});
