import { expect, test } from 'vitest';
import { placeStation } from '../../../src/trace/page/svg.ts';
import type { TraceStep } from '../../../src/trace/trace.ts';

const step: TraceStep = { stage: 'policy', title: 'From node n1', outcome: 'ok', notes: [], chosen: [], leftOut: [] };

test('placeStation draws the sign on the line and the words beside it', () => {
  const { y, words, branches } = placeStation(step, 4, 100, true);
  expect(String(words)).toContain(`translate(56 ${y})`);
  expect(String(words)).toMatch(/>4\. Traffic policy · OK<[\s\S]*>From node n1</);
  expect(String(branches).trim()).toBe('');
});

test('a station ends below all its contents', () => {
  const item = { id: 'a', label: 'a', notes: [{ code: 'A', message: 'So.' }] };
  const plain = placeStation(step, 1, 100, true);
  const full = placeStation({ ...step, notes: item.notes, leftOut: [item, item] }, 1, 100, true);
  expect(plain.end).toBeGreaterThan(plain.y);
  expect(full.end).toBeGreaterThan(plain.end + 80);
});
