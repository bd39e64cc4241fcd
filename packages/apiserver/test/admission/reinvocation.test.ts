import { expect, it } from 'vitest';
import { createReinvocationState, recordCall, shouldCall, startReinvocation } from '../../src/admission/reinvocation.ts';

const kept = { changed: false, reinvocable: true };
const changed = { changed: true, reinvocable: true };
const changedOnce = { changed: true, reinvocable: false };

it('the first round calls all, and there is no second without a reinvocable webhook', () => {
  const reinvocation = createReinvocationState();
  expect(shouldCall(reinvocation, 'a')).toBe(true);
  recordCall(reinvocation, 'a', changedOnce);
  recordCall(reinvocation, 'b', changedOnce);
  expect(startReinvocation(reinvocation)).toBe(false);
});

it('the second round calls only reinvocable webhooks that precede a change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', kept);
  recordCall(reinvocation, 'b', changedOnce);
  recordCall(reinvocation, 'c', changed);
  expect(startReinvocation(reinvocation)).toBe(true);
  expect(['a', 'b', 'c', 'd'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a']);
});

it('the second round includes every reinvocable webhook before the last change', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', kept);
  recordCall(reinvocation, 'b', changed);
  recordCall(reinvocation, 'c', changedOnce);
  startReinvocation(reinvocation);
  expect(['a', 'b', 'c'].filter((id) => shouldCall(reinvocation, id))).toEqual(['a', 'b']);
});

it('there is no third round', () => {
  const reinvocation = createReinvocationState();
  recordCall(reinvocation, 'a', kept);
  recordCall(reinvocation, 'b', changedOnce);
  expect(startReinvocation(reinvocation)).toBe(true);
  recordCall(reinvocation, 'a', changed);
  recordCall(reinvocation, 'b', changedOnce);
  expect(startReinvocation(reinvocation)).toBe(false);
});
