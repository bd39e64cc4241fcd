import { expect, it } from 'vitest';
import { createReinvocationState, recordCall, shouldCall, startReinvocation } from '../../src/admission/reinvocation.ts';

const unchangedReinvocable = { changed: false, reinvocable: true };
const changedReinvocable = { changed: true, reinvocable: true };
const changedNotReinvocable = { changed: true, reinvocable: false };

it('starts no second round without a reinvocable webhook', () => {
  const reinvocation = createReinvocationState();
  expect(shouldCall(reinvocation, 'a')).toBe(true);
  recordCall(reinvocation, 'a', changedNotReinvocable);
  recordCall(reinvocation, 'b', changedNotReinvocable);
  expect(startReinvocation(reinvocation)).toBe(false);
});

it('calls in the second round only the reinvocable webhooks that precede a change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', unchangedReinvocable);
  recordCall(reinvocation, 'b', changedNotReinvocable);
  recordCall(reinvocation, 'c', changedReinvocable);
  expect(startReinvocation(reinvocation)).toBe(true);
  expect(['a', 'b', 'c', 'd'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a']);
});

it('calls in the second round every reinvocable webhook that precedes the last change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', unchangedReinvocable);
  recordCall(reinvocation, 'b', changedReinvocable);
  recordCall(reinvocation, 'c', changedNotReinvocable);
  startReinvocation(reinvocation);
  expect(['a', 'b', 'c'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a', 'b']);
});

it('starts no third round', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', unchangedReinvocable);
  recordCall(reinvocation, 'b', changedNotReinvocable);
  expect(startReinvocation(reinvocation)).toBe(true);
  recordCall(reinvocation, 'a', changedReinvocable);
  recordCall(reinvocation, 'b', changedNotReinvocable);
  expect(startReinvocation(reinvocation)).toBe(false);
});
