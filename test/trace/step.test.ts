import { expect, it } from 'vitest';
import { draft, skipped } from '../../src/trace/trace.ts';

it('draft creates a step without items whose outcome is ok, and skipped a skipped one', () => {
  const empty = { stage: 'pod', title: 'Pods', notes: [], chosen: [], leftOut: [] };
  expect(draft('pod', 'Pods')).toEqual({ step: { ...empty, outcome: 'ok' } });
  expect(draft('pod', 'Pods', { outcome: 'error', blame: 'none is there' })).toEqual({
    step: { ...empty, outcome: 'error' },
    blame: 'none is there',
  });
  expect(skipped('pod', 'Pods')).toEqual({ step: { ...empty, outcome: 'skipped' } });
});
