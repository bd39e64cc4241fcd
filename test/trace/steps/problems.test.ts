import { expect, it } from 'vitest';
import { problemNote, verdictNote } from '../../../src/trace/steps/problems.ts';

it('problemNote adds a remedy to reasons that need one', () => {
  const reason = { message: 'So it is.', path: 'pod.status' };
  expect(problemNote({ code: 'PodHasNoIP', ...reason })).toEqual({
    code: 'PodHasNoIP',
    ...reason,
    remedy: expect.stringContaining('kubectl describe pod'),
  });
  expect(problemNote({ code: 'PodReady', ...reason })).toEqual({ code: 'PodReady', ...reason });
});

it("verdictNote turns a node's verdict into a sentence", () => {
  expect(verdictNote('NotReady')).toEqual({
    code: 'NotReady',
    message: 'The endpoint is not ready.',
    remedy: expect.stringMatching(/^Fix .*\.$/),
  });
  expect(verdictNote('Terminating')).toEqual({
    code: 'Terminating',
    message: 'The endpoint is terminating, and other endpoints are ready.',
  });
  expect(verdictNote('Ready')).not.toHaveProperty('remedy');
});
