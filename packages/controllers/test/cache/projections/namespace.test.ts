import { expect, it } from 'vitest';
import { projectNamespace } from '../../../src/cache/projections/projections.ts';
import { more } from './objects.ts';

it('the projection of a namespace keeps whether it is about to go', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(projectNamespace({ metadata: { name: 'shop', uid: 'u', ...more, deletionTimestamp }, status: { phase: 'Terminating' } })).toEqual({
    metadata: { name: 'shop', uid: 'u', deletionTimestamp },
    status: { phase: 'Terminating' },
  });
  expect(projectNamespace({ metadata: { name: 'shop' } })).toEqual({ metadata: { name: 'shop' }, status: {} });
});
