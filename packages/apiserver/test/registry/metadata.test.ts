import { expect, it } from 'vitest';
import { hasFinalizer, isBeingDeleted, ownersOf, withMetadata } from '../../src/registry/metadata.ts';
import { object } from './support.ts';

it('withMetadata copies the object and removes metadata that is undefined', () => {
  const before = object('a', { metadata: { uid: 'u' }, data: {} });
  expect(withMetadata(before, { uid: undefined, generation: 2 })).toEqual(object('a', { metadata: { generation: 2 }, data: {} }));
  expect(before.metadata.uid).toBe('u');
});

it('isBeingDeleted, hasFinalizer and ownersOf read metadata', () => {
  const terminating = object('a', { metadata: { deletionTimestamp: 'now', finalizers: ['x'] } });
  expect([isBeingDeleted(terminating), hasFinalizer(terminating, 'x'), hasFinalizer(terminating, 'y')]).toEqual([true, true, false]);
  expect([isBeingDeleted(object('a')), hasFinalizer(object('a'), 'x'), ownersOf(object('a'))]).toEqual([false, false, []]);
});
