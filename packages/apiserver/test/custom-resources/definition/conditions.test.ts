import { describe, expect, it } from 'vitest';
import {
  definitionConditions,
  isDeletionJustRequested,
  isSameCondition,
  startTermination,
  withCondition,
} from '../../../src/custom-resources/definition/conditions.ts';
import { cleanupFinalizer } from '../../../src/custom-resources/definition/definition.ts';
import { makeDefinition } from '../support.ts';

describe('withCondition', () => {
  it('adds a condition, or replaces an existing one at its index', () => {
    const firstDefinition = withCondition(
      withCondition(makeDefinition(), definitionConditions.namesAccepted, 't1'),
      definitionConditions.installing,
      't1',
    );
    expect(firstDefinition.status?.conditions?.map(({ type }) => type)).toEqual(['NamesAccepted', 'Established']);
    const secondDefinition = withCondition(firstDefinition, { ...definitionConditions.namesAccepted, status: 'False' }, 't2');
    expect(secondDefinition.status?.conditions?.[0]).toEqual({
      ...definitionConditions.namesAccepted,
      status: 'False',
      lastTransitionTime: 't2',
    });
  });

  it('keeps lastTransitionTime while the status is unchanged', () => {
    const firstDefinition = withCondition(makeDefinition(), definitionConditions.namesAccepted, 't1');
    expect(
      withCondition(firstDefinition, { ...definitionConditions.namesAccepted, message: 'other' }, 't2').status?.conditions?.[0],
    ).toMatchObject({
      message: 'other',
      lastTransitionTime: 't1',
    });
  });
});

describe('isSameCondition', () => {
  it('ignores lastTransitionTime', () => {
    const establishedCondition = { ...definitionConditions.established, lastTransitionTime: 't' };
    expect(isSameCondition(establishedCondition, definitionConditions.established)).toBe(true);
    expect(isSameCondition({ ...establishedCondition, message: '' }, definitionConditions.established)).toBe(false);
    expect(isSameCondition(undefined, definitionConditions.established)).toBe(false);
  });
});

const now = Date.parse('2026-01-02T03:04:05Z');
const deletedDefinition = makeDefinition(
  {},
  { deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1, generation: 2, finalizers: ['own/x'] },
);

describe('startTermination', () => {
  it('sets the finalizer and condition of kube-apiserver on a deleted definition', () => {
    const terminatingDefinition = startTermination(deletedDefinition, now);
    expect(terminatingDefinition.metadata).toEqual({
      name: 'things.example.com',
      deletionTimestamp: '2026-01-02T03:04:05Z',
      generation: 1,
      finalizers: ['own/x', cleanupFinalizer],
    });
    expect(terminatingDefinition.status?.conditions?.[0]).toMatchObject({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
    });
    expect(isDeletionJustRequested(terminatingDefinition)).toBe(false);
  });

  it('returns definitions that are not deleted or already terminating unchanged', () => {
    expect(startTermination(makeDefinition(), now).metadata.finalizers).toBeUndefined();
    const terminatingDefinition = startTermination(deletedDefinition, now);
    expect(startTermination(terminatingDefinition, now)).toBe(terminatingDefinition);
  });
});
