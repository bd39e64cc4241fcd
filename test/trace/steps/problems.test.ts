import { expect, it } from 'vitest';
import { createProblemNote, createVerdictNote } from '../../../src/trace/steps/problems.ts';

it('createProblemNote adds a remedy to reasons that need one', () => {
  const reason = { message: 'So it is.', path: 'pod.status' };
  expect(createProblemNote({ code: 'PodHasNoIP', ...reason })).toEqual({
    code: 'PodHasNoIP',
    ...reason,
    remedy: expect.stringContaining('kubectl describe pod'),
  });
  expect(createProblemNote({ code: 'PodReady', ...reason })).toEqual({ code: 'PodReady', ...reason });
});

it("createVerdictNote turns a node's verdict into a sentence", () => {
  expect(createVerdictNote('NotReady')).toEqual({
    code: 'NotReady',
    message: 'The endpoint is not ready.',
    remedy: expect.stringMatching(/^Fix .*\.$/),
  });
  expect(createVerdictNote('Terminating')).toEqual({
    code: 'Terminating',
    message: 'The endpoint is terminating, and other endpoints are ready.',
  });
  expect(createVerdictNote('Ready')).not.toHaveProperty('remedy');
});
