import { describe, expect, test } from 'vitest';
import { findPassFlags, formatItemCounts, formatOrigin, joinSentences } from '../../../src/trace/page/words.ts';
import type { TraceItem, TraceStep } from '../../../src/trace/trace.ts';
import { reachedTrace, unreachableTrace } from './traces.ts';

const items = (count: number): TraceItem[] => Array.from({ length: count }, (_, i) => ({ id: `${i}`, label: '', notes: [] }));
const step = (chosen: number, leftOut: number, outcome: TraceStep['outcome'] = 'ok'): TraceStep => ({
  stage: 'endpoints',
  title: '',
  outcome,
  notes: [],
  chosen: items(chosen),
  leftOut: items(leftOut),
});

test.each([
  [0, 0, ''],
  [1, 0, '1 chosen'],
  [2, 0, '2 chosen'],
  [0, 3, '3 left out'],
  [2, 1, '2 chosen, 1 left out'],
])('formatItemCounts of %i chosen and %i left out items is "%s"', (chosen, leftOut, words) => {
  expect(formatItemCounts(step(chosen, leftOut))).toBe(words);
});

describe('formatOrigin', () => {
  const { from: _from, node: _node, ...nowhere } = reachedTrace;
  test.each([
    [reachedTrace, 'from pod/frontend-1 on node n1'],
    [unreachableTrace, 'from pod/frontend-1'],
    [{ ...nowhere, node: 'n2' }, 'on node n2'],
    [nowhere, ''],
  ])('describes the known parts of the origin, case %#', (trace, words) => {
    expect(formatOrigin(trace)).toBe(words);
  });
});

test('findPassFlags returns true up to the first error; a warning does not stop the traffic', () => {
  const outcomes = ['ok', 'warning', 'skipped', 'error', 'ok', 'error'] as const;
  expect(findPassFlags(outcomes.map((outcome) => step(0, 0, outcome)))).toEqual([true, true, true, false, false, false]);
});

test('joinSentences ends every message with a full stop', () => {
  expect(joinSentences(['It is so', 'It is not.', 'Is it?'])).toBe('It is so. It is not. Is it?');
  expect(joinSentences([])).toBe('');
});
