import { expect, test } from 'vitest';
import { sign, standaloneSign } from '../../../src/trace/page/words.ts';

const outcomes = ['ok', 'warning', 'error', 'skipped'] as const;

test('every outcome has its own shape in addition to its colour', () => {
  const shapes = outcomes.map((outcome) => String(sign(outcome)).replace(/ class="[^"]*"/g, ''));
  expect(new Set(shapes).size).toBe(outcomes.length);
});

test.each(outcomes)('the picture of %s is hidden from screen readers, which read the text next to it', (outcome) => {
  expect(String(standaloneSign(outcome))).toContain('aria-hidden="true"');
  expect(String(standaloneSign(outcome))).toContain(`class="sign ${outcome}"`);
});
