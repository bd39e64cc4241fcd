import { expect, test } from 'vitest';
import { renderSign, renderStandaloneSign } from '../../../src/trace/page/words.ts';

const outcomes = ['ok', 'warning', 'error', 'skipped'] as const;

test('renderSign gives every outcome its own shape in addition to its colour', () => {
  const shapes = outcomes.map((outcome) => String(renderSign(outcome)).replace(/ class="[^"]*"/g, ''));
  expect(new Set(shapes).size).toBe(outcomes.length);
});

test.each(outcomes)('the standalone sign for outcome %s is hidden from screen readers', (outcome) => {
  expect(String(renderStandaloneSign(outcome))).toContain('aria-hidden="true"');
  expect(String(renderStandaloneSign(outcome))).toContain(`class="sign ${outcome}"`);
});
