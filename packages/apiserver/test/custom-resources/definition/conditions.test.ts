import { describe, expect, it } from 'vitest';
import {
  conditions,
  isDeletionJustRequested,
  isSameCondition,
  startTermination,
  withCondition,
} from '../../../src/custom-resources/definition/conditions.ts';
import { cleanupFinalizer } from '../../../src/custom-resources/definition/definition.ts';
import { definition } from '../support.ts';

describe('withCondition', () => {
  it('adds a condition, or replaces it in place', () => {
    const one = withCondition(withCondition(definition(), conditions.namesAccepted, 't1'), conditions.installing, 't1');
    expect(one.status?.conditions?.map(({ type }) => type)).toEqual(['NamesAccepted', 'Established']);
    const other = withCondition(one, { ...conditions.namesAccepted, status: 'False' }, 't2');
    expect(other.status?.conditions?.[0]).toEqual({ ...conditions.namesAccepted, status: 'False', lastTransitionTime: 't2' });
  });

  it('keeps lastTransitionTime while the status is unchanged', () => {
    const one = withCondition(definition(), conditions.namesAccepted, 't1');
    expect(withCondition(one, { ...conditions.namesAccepted, message: 'other' }, 't2').status?.conditions?.[0]).toMatchObject({
      message: 'other',
      lastTransitionTime: 't1',
    });
  });
});

describe('isSameCondition', () => {
  it('ignores lastTransitionTime', () => {
    const since = { ...conditions.established, lastTransitionTime: 't' };
    expect(isSameCondition(since, conditions.established)).toBe(true);
    expect(isSameCondition({ ...since, message: '' }, conditions.established)).toBe(false);
    expect(isSameCondition(undefined, conditions.established)).toBe(false);
  });
});

const now = Date.parse('2026-01-02T03:04:05Z');
const begun = definition(
  {},
  { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1, generation: 2, finalizers: ['own/x'] },
);

describe('markedAsGoing', () => {
  it('sets the finalizer and condition of kube-apiserver on a deleted definition', () => {
    const going = startTermination(begun, now);
    expect(going.metadata).toEqual({
      name: 'things.example.com',
      deletionTimestamp: '2026-01-02T03:04:05Z',
      generation: 1,
      finalizers: ['own/x', cleanupFinalizer],
    });
    expect(going.status?.conditions?.[0]).toMatchObject({ type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' });
    expect(isDeletionJustRequested(going)).toBe(false);
  });

  it('does not modify other definitions', () => {
    expect(startTermination(definition(), now).metadata.finalizers).toBeUndefined();
    const going = startTermination(begun, now);
    expect(startTermination(going, now)).toBe(going);
  });
});
