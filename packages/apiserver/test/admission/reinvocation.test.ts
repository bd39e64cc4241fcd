import { expect, it } from 'vitest';
import { createReinvocationState, recordCall, shouldCall, startReinvocation } from '../../src/admission/reinvocation.ts';

const reinvocableOutcome = { changed: false, reinvocable: true };
const changedReinvocableOutcome = { changed: true, reinvocable: true };
const changedOutcome = { changed: true, reinvocable: false };

it('starts no second round without a reinvocable webhook', () => {
  const reinvocation = createReinvocationState();
  expect(shouldCall(reinvocation, 'a')).toBe(true);
  recordCall(reinvocation, 'a', changedOutcome);
  recordCall(reinvocation, 'b', changedOutcome);
  expect(startReinvocation(reinvocation)).toBe(false);
});

it('calls in the second round only the reinvocable webhooks that precede a change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', reinvocableOutcome);
  recordCall(reinvocation, 'b', changedOutcome);
  recordCall(reinvocation, 'c', changedReinvocableOutcome);
  expect(startReinvocation(reinvocation)).toBe(true);
  expect(['a', 'b', 'c', 'd'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a']);
});

it('calls in the second round every reinvocable webhook that precedes the last change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', reinvocableOutcome);
  recordCall(reinvocation, 'b', changedReinvocableOutcome);
  recordCall(reinvocation, 'c', changedOutcome);
  startReinvocation(reinvocation);
  expect(['a', 'b', 'c'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a', 'b']);
});

it('starts no third round', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', reinvocableOutcome);
  recordCall(reinvocation, 'b', changedOutcome);
  expect(startReinvocation(reinvocation)).toBe(true);
  recordCall(reinvocation, 'a', changedReinvocableOutcome);
  recordCall(reinvocation, 'b', changedOutcome);
  expect(startReinvocation(reinvocation)).toBe(false);
});
