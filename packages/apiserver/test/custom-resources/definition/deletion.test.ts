import { describe, expect, it } from 'vitest';
import { cleanupFinalizer } from '../../../src/custom-resources/definition/definition.ts';
import { hasJustBegunToGo, markedAsGoing } from '../../../src/custom-resources/definition/deletion.ts';
import { definition } from '../support.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const begun = definition(
  {},
  { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1, generation: 2, finalizers: ['own/x'] },
);

describe('markedAsGoing', () => {
  it('gives a definition that goes the finalizer and the condition that the real one has', () => {
    const going = markedAsGoing(begun, now);
    expect(going.metadata).toEqual({
      name: 'things.example.com',
      deletionTimestamp: '2026-01-02T03:04:05Z',
      generation: 1,
      finalizers: ['own/x', cleanupFinalizer],
    });
    expect(going.status?.conditions?.[0]).toMatchObject({ type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' });
    expect(hasJustBegunToGo(going)).toBe(false);
  });

  it('leaves all others alone', () => {
    expect(markedAsGoing(definition(), now).metadata.finalizers).toBeUndefined();
    const going = markedAsGoing(begun, now);
    expect(markedAsGoing(going, now)).toBe(going);
  });
});
