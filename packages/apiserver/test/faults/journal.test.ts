import { expect, it } from 'vitest';
import { createJournal } from '../../src/faults/journal.ts';

const createDueFault = (nth: number) => ({ fault: { fault: 'latency', milliseconds: 7 }, scope: { verbs: ['get'] }, nth }) as const;

it('a new journal is empty', () => {
  expect(createJournal(5, 10).report()).toBe('0 faults of seed 5');
});

it('a journal reports the faults and the rules that replay them', () => {
  const journal = createJournal(5, 10);
  journal.record(createDueFault(2), 'get pods shop/a', 30);
  journal.record({ fault: { fault: 'compact' }, scope: {}, nth: 9 }, '', 40);
  const rules = [
    { fault: 'latency', milliseconds: 7, verbs: ['get'], when: { nth: 2 } },
    { fault: 'compact', when: { nth: 9 } },
  ];
  expect(journal.replay()).toEqual(rules);
  expect(journal.entries[0]).toEqual({ fault: createDueFault(2).fault, rule: rules[0], call: 'get pods shop/a', at: 30 });
  expect(journal.report().split('\n')).toEqual([
    '2 faults of seed 5',
    '1. after 30 ms: latency milliseconds 7 at get pods shop/a',
    '2. after 40 ms: compact, injected on command',
    `replay with rules: ${JSON.stringify(rules)}`,
  ]);
});

it('a full journal keeps the newest entries and refuses to replay if entries were dropped', () => {
  const journal = createJournal(5, 2);
  for (const nth of [1, 2, 3]) journal.record(createDueFault(nth), `get pods shop/${nth}`, nth);
  expect(journal.entries.map(({ at }) => at)).toEqual([2, 3]);
  expect(journal.report().split('\n').slice(0, 2)).toEqual([
    '3 faults of seed 5, the first 1 dropped',
    '2. after 2 ms: latency milliseconds 7 at get pods shop/2',
  ]);
  expect(() => journal.replay()).toThrow('faults: maxLogged 2 is too small to replay 3 faults');
});
