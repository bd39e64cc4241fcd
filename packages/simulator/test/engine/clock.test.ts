import { expect, test } from 'vitest';
import { createClock } from '../../src/engine/clock.ts';
import { createBoundChoice, createRandomChoice } from '../../src/engine/delays.ts';
import type { TimelineEntry } from '../../src/engine/timeline.ts';

const latest = createBoundChoice(() => false);
const fact = (pod: string) => ({ type: 'listener', state: 'open', pod, podUid: pod, node: 'n1', container: 'web' }) as const;

test('runs work in order of time, and of scheduling at the same time', () => {
  const clock = createClock({ start: 1000, choose: latest, onEntry: () => {} });
  const ran: string[] = [];
  for (const [name, time] of [
    ['c', 1030],
    ['a', 1010],
    ['past', 5],
    ['b', 1010],
    ['d', 1040],
  ] as const)
    clock.at(time, () => ran.push(`${name} ${clock.now()}`));
  clock.runUntil(1030);
  expect(ran).toStrictEqual(['past 1000', 'a 1010', 'b 1010', 'c 1030']);
  expect(clock.nextTime()).toBe(1040);
});

test('runs a thousand timers in order, without those that were cancelled', () => {
  const clock = createClock({ start: 0, choose: latest, onEntry: () => {} });
  const ran: number[] = [];
  const times = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1009);
  const timers = times.map((time) => clock.at(time, () => ran.push(time)));
  for (const timer of timers.filter((_, i) => i % 3 === 0)) timer.cancel();
  clock.runUntil(2000);
  expect(ran).toStrictEqual(times.filter((_, i) => i % 3 !== 0).sort((a, b) => a - b));
  expect(clock.nextTime()).toBeUndefined();
  expect(clock.now()).toBe(2000);
});

test('records the entry that caused work, across delays', () => {
  const entries: TimelineEntry[] = [];
  const clock = createClock({ start: 0, choose: latest, ranges: { watch: { min: 1, max: 30 } }, onEntry: (entry) => entries.push(entry) });
  clock.record(fact('a'), () => clock.after({ name: 'watch', actor: 'x' }, () => clock.record(fact('b'))));
  clock.record(fact('c'));
  clock.runUntil(100);
  expect(entries.map(({ id, at, cause }) => ({ id, at, cause }))).toStrictEqual([
    { id: 0, at: 0, cause: undefined },
    { id: 1, at: 0, cause: undefined },
    { id: 2, at: 30, cause: 0 },
  ]);
});

test('the random delays of one actor do not depend on those of another, and stay within the range', () => {
  const range = { min: 5, max: 9 };
  const alone = createRandomChoice(7);
  const beside = createRandomChoice(7);
  const draw = (choose: typeof alone, actor: string) => choose({ name: 'watch', actor }, range);
  const expected = Array.from({ length: 100 }, () => draw(alone, 'a'));
  const found = expected.map(() => {
    draw(beside, 'b');
    return draw(beside, 'a');
  });
  expect(found).toStrictEqual(expected);
  expect([...new Set(expected)].sort()).toStrictEqual([5, 6, 7, 8, 9]);
});
