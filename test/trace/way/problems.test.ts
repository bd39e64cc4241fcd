import { expect, it } from 'vitest';
import { problemNote, verdictNote } from '../../../src/trace/way/problems.ts';

it('problemNote adds a remedy to reasons that need one', () => {
  const reason = { message: 'So it is.', path: 'pod.status' };
  expect(problemNote({ code: 'PodHasNoIP', ...reason })).toEqual({
    code: 'PodHasNoIP',
    ...reason,
    mend: expect.stringContaining('kubectl describe pod'),
  });
  expect(problemNote({ code: 'PodReady', ...reason })).toEqual({ code: 'PodReady', ...reason });
});

it("verdictNote turns a node's verdict into a sentence", () => {
  expect(verdictNote('NotReady')).toEqual({
    code: 'NotReady',
    message: 'The endpoint is not ready.',
    mend: expect.stringMatching(/^Mend .*\.$/),
  });
  expect(verdictNote('Terminating')).toEqual({
    code: 'Terminating',
    message: 'The endpoint is terminating, and there are ready endpoints.',
  });
  expect(verdictNote('Ready')).not.toHaveProperty('mend');
});
