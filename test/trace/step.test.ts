import { expect, it } from 'vitest';
import { createStep, skippedStep } from '../../src/trace/trace.ts';

it('createStep creates by default a step without items and with the outcome ok; skippedStep creates one with the outcome skipped', () => {
  const empty = { stage: 'pod', title: 'Pods', notes: [], chosen: [], leftOut: [] };
  expect(createStep('pod', 'Pods')).toEqual({ step: { ...empty, outcome: 'ok' } });
  expect(createStep('pod', 'Pods', { outcome: 'error', cause: 'no pod exists' })).toEqual({
    step: { ...empty, outcome: 'error' },
    cause: 'no pod exists',
  });
  expect(skippedStep('pod', 'Pods')).toEqual({ step: { ...empty, outcome: 'skipped' } });
});
