import { expect, test } from 'vitest';
import { placeStep } from '../../../src/trace/page/svg.ts';
import type { TraceStep } from '../../../src/trace/trace.ts';

const step: TraceStep = { stage: 'policy', title: 'From node n1', outcome: 'ok', notes: [], chosen: [], leftOut: [] };

test('placeStep draws the sign on the line and the texts beside it', () => {
  const { y, labels, branches } = placeStep(step, 4, 100, true);
  expect(String(labels)).toContain(`translate(56 ${y})`);
  expect(String(labels)).toMatch(/>4\. Traffic policy · OK<[\s\S]*>From node n1</);
  expect(String(branches).trim()).toBe('');
});

test('placeStep ends a step below all its contents', () => {
  const item = { id: 'a', label: 'a', notes: [{ code: 'A', message: 'So.' }] };
  const emptyStep = placeStep(step, 1, 100, true);
  const fullStep = placeStep({ ...step, notes: item.notes, leftOut: [item, item] }, 1, 100, true);
  expect(emptyStep.endY).toBeGreaterThan(emptyStep.y);
  expect(fullStep.endY).toBeGreaterThan(emptyStep.endY + 80);
});
