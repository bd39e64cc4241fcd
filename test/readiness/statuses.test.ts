import { describe, expect, it, test } from 'vitest';
import {
  conditionOf,
  hasStarted,
  isSidecar,
  isTerminalPhase,
  joinStatuses,
  kindOf,
  setCondition,
  statusOf,
} from '../../src/readiness/statuses.ts';
import { runningState, terminatedState, waitingState } from './pods.ts';

describe('kindOf', () => {
  it.each([
    [runningState(), 'running'],
    [terminatedState(), 'terminated'],
    [waitingState(), 'waiting'],
    [{}, 'unknown'],
    [undefined, 'unknown'],
    [{ running: null, waiting: {} }, 'waiting'],
    [{ ...waitingState(), ...terminatedState() }, 'terminated'],
    [{ ...terminatedState(), ...runningState() }, 'running'],
  ])('for %j, returns %s', (state, kind) => {
    expect(kindOf(state)).toBe(kind);
  });
});

test('statusOf and conditionOf return the first entry of a name', () => {
  const [first, second] = [{ name: 'a', ready: true }, { name: 'a' }];
  expect(statusOf([first, second], { name: 'a' })).toBe(first);
  expect(statusOf(undefined, { name: 'a' })).toBeUndefined();
  expect(conditionOf([{ type: 'Ready', status: 'True' }, { type: 'Ready' }], 'Ready')?.status).toBe('True');
});

test('isSidecar is true for an init container with restartPolicy Always', () => {
  expect([{ restartPolicy: 'Always' }, { restartPolicy: 'OnFailure' }, {}].map(isSidecar)).toEqual([true, false, false]);
});

test('joinStatuses returns undefined if containerStatuses is absent or empty and initContainerStatuses is absent', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  expect(joinStatuses({})).toBeUndefined();
  expect(joinStatuses({ containerStatuses: [] })).toBeUndefined();
  expect(joinStatuses({ initContainerStatuses: [] })).toEqual([]);
  expect(joinStatuses({ containerStatuses: [a] })).toEqual([a]);
  expect(joinStatuses({ containerStatuses: [a], initContainerStatuses: [b] })).toEqual([b, a]);
});

test('setCondition replaces the condition of the same type, or appends it', () => {
  const list = [{ type: 'A' }, { type: 'B' }];
  expect(setCondition(list, { type: 'A', status: 'True' })).toEqual([{ type: 'A', status: 'True' }, { type: 'B' }]);
  expect(setCondition(list, { type: 'C' }).map(({ type }) => type)).toEqual(['A', 'B', 'C']);
  expect(list).toEqual([{ type: 'A' }, { type: 'B' }]);
});

test('isTerminalPhase is true for Succeeded and Failed', () => {
  expect(['Succeeded', 'Failed', 'Running', '', undefined].map(isTerminalPhase)).toEqual([true, true, false, false, false]);
});

test('hasStarted is true for containers that run or have terminated', () => {
  const containers = [{ name: 'a' }];
  expect(hasStarted(containers, [{ name: 'a', state: runningState() }])).toBe(true);
  expect(hasStarted(containers, [{ name: 'a', state: terminatedState(1) }])).toBe(true);
  expect(hasStarted(containers, [{ name: 'a', state: waitingState(), lastState: terminatedState(1) }])).toBe(false);
  expect(hasStarted(containers, [{ name: 'b', state: runningState() }])).toBe(false);
  expect(hasStarted(containers, undefined)).toBe(false);
});
