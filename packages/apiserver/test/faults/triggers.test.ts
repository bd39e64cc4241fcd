import { expect, it } from 'vitest';
import { createFaultTriggers, type FaultTriggerOptions } from '../../src/faults/triggers.ts';
import { createClock } from '../store/support.ts';

/** Each letter of a value counts as one event. */
const splitter = {
  count: (text: string) => text.length,
  split: (text: string, events: number) => [text.slice(0, events), text.slice(events)] as const,
};

function createSubject(options: Partial<FaultTriggerOptions<string>>) {
  const clock = createClock();
  const said: string[] = [];
  const acts = { drop: () => said.push('drop'), stall: () => said.push('stall') };
  return { clock, said, triggers: createFaultTriggers({ clock, drop: undefined, stall: undefined, splitter, ...options }, acts) };
}

it('passes everything without limits', () => {
  const { triggers, said } = createSubject({});
  expect(triggers.part('abc')).toEqual({ part: 'abc' });
  triggers.fireDue();
  triggers.dispose();
  expect(said).toEqual([]);
});

it('splits a value that exceeds a limit, and applies each limit once', () => {
  const { triggers, said } = createSubject({
    stall: { fault: 'stallWatch', afterEvents: 2 },
    drop: { fault: 'dropWatch', afterEvents: 4 },
  });
  triggers.fireDue();
  expect([triggers.part('abcdef'), said]).toEqual([{ part: 'ab', rest: 'cdef' }, []]);
  triggers.fireDue();
  triggers.fireDue();
  expect([triggers.part('cdef'), said]).toEqual([{ part: 'cd', rest: 'ef' }, ['stall']]);
  triggers.fireDue();
  expect(said).toEqual(['stall', 'drop']);
});

it('counts a value that cannot be split as one event', () => {
  const { triggers, said } = createSubject({ splitter: undefined, drop: { fault: 'dropWatch', afterEvents: 2 } });
  for (const value of ['abc', 'def']) {
    triggers.fireDue();
    expect([triggers.part(value), said]).toEqual([{ part: value }, []]);
  }
  triggers.fireDue();
  expect(said).toEqual(['drop']);
});

it('applies a limit at once by default, else at the first of time and count, and never after leaving', () => {
  const now = createSubject({ drop: { fault: 'dropWatch' } });
  now.triggers.fireDue();
  expect(now.said).toEqual(['drop']);
  const late = createSubject({ drop: { fault: 'dropWatch', afterMilliseconds: 5, afterEvents: 1 } });
  late.triggers.fireDue();
  expect([late.said, late.clock.scheduled]).toEqual([[], 1]);
  late.clock.advance(5);
  expect(late.said).toEqual(['drop']);
  const left = createSubject({ stall: { fault: 'stallWatch', afterMilliseconds: 5 } });
  left.triggers.fireDue();
  left.triggers.dispose();
  left.clock.advance(5);
  expect(left.said).toEqual([]);
});
