import { expect, it } from 'vitest';
import { createSkippedStep, createStep } from '../../src/trace/trace.ts';

it('createStep creates by default an empty step with the outcome ok; createSkippedStep uses the outcome skipped', () => {
  const emptyFields = { stage: 'pod', title: 'Pods', notes: [], chosen: [], leftOut: [] };
  expect(createStep('pod', 'Pods')).toEqual({ step: { ...emptyFields, outcome: 'ok' } });
  expect(createStep('pod', 'Pods', { outcome: 'error', cause: 'no pod exists' })).toEqual({
    step: { ...emptyFields, outcome: 'error' },
    cause: 'no pod exists',
  });
  expect(createSkippedStep('pod', 'Pods')).toEqual({ step: { ...emptyFields, outcome: 'skipped' } });
});
