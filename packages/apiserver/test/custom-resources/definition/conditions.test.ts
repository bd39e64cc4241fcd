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
  it('adds a condition, or replaces an existing one at its index', () => {
    const first = withCondition(withCondition(definition(), conditions.namesAccepted, 't1'), conditions.installing, 't1');
    expect(first.status?.conditions?.map(({ type }) => type)).toEqual(['NamesAccepted', 'Established']);
    const second = withCondition(first, { ...conditions.namesAccepted, status: 'False' }, 't2');
    expect(second.status?.conditions?.[0]).toEqual({ ...conditions.namesAccepted, status: 'False', lastTransitionTime: 't2' });
  });

  it('keeps lastTransitionTime while the status is unchanged', () => {
    const first = withCondition(definition(), conditions.namesAccepted, 't1');
    expect(withCondition(first, { ...conditions.namesAccepted, message: 'other' }, 't2').status?.conditions?.[0]).toMatchObject({
      message: 'other',
      lastTransitionTime: 't1',
    });
  });
});

describe('isSameCondition', () => {
  it('ignores lastTransitionTime', () => {
    const withTransitionTime = { ...conditions.established, lastTransitionTime: 't' };
    expect(isSameCondition(withTransitionTime, conditions.established)).toBe(true);
    expect(isSameCondition({ ...withTransitionTime, message: '' }, conditions.established)).toBe(false);
    expect(isSameCondition(undefined, conditions.established)).toBe(false);
  });
});

const now = Date.parse('2026-01-02T03:04:05Z');
const deletedDefinition = definition(
  {},
  { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1, generation: 2, finalizers: ['own/x'] },
);

describe('startTermination', () => {
  it('sets the finalizer and condition of kube-apiserver on a deleted definition', () => {
    const terminating = startTermination(deletedDefinition, now);
    expect(terminating.metadata).toEqual({
      name: 'things.example.com',
      deletionTimestamp: '2026-01-02T03:04:05Z',
      generation: 1,
      finalizers: ['own/x', cleanupFinalizer],
    });
    expect(terminating.status?.conditions?.[0]).toMatchObject({ type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' });
    expect(isDeletionJustRequested(terminating)).toBe(false);
  });

  it('returns definitions that are not deleted or already terminating unchanged', () => {
    expect(startTermination(definition(), now).metadata.finalizers).toBeUndefined();
    const terminating = startTermination(deletedDefinition, now);
    expect(startTermination(terminating, now)).toBe(terminating);
  });
});
