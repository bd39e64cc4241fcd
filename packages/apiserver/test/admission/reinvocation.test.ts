import { expect, it } from 'vitest';
import { createReinvocationState, recordCall, shouldCall, startReinvocation } from '../../src/admission/reinvocation.ts';

const kept = { changed: false, reinvocable: true };
const changed = { changed: true, reinvocable: true };
const changedOnce = { changed: true, reinvocable: false };

it('the first round calls all, and there is no second without a reinvocable webhook', () => {
  const rounds = createReinvocationState();
  expect(shouldCall(rounds, 'a')).toBe(true);
  recordCall(rounds, 'a', changedOnce);
  recordCall(rounds, 'b', changedOnce);
  expect(startReinvocation(rounds)).toBe(false);
});

it('the second round calls only reinvocable webhooks that precede a change', () => {
  const rounds = createReinvocationState();
  recordCall(rounds, 'a', kept);
  recordCall(rounds, 'b', changedOnce);
  recordCall(rounds, 'c', changed);
  expect(startReinvocation(rounds)).toBe(true);
  expect(['a', 'b', 'c', 'd'].filter((id) => shouldCall(rounds, id))).toEqual(['a']);
});

it('the second round includes every reinvocable webhook before the last change', () => {
  const rounds = createReinvocationState();
  recordCall(rounds, 'a', kept);
  recordCall(rounds, 'b', changed);
  recordCall(rounds, 'c', changedOnce);
  startReinvocation(rounds);
  expect(['a', 'b', 'c'].filter((id) => shouldCall(rounds, id))).toEqual(['a', 'b']);
});

it('there is no third round', () => {
  const rounds = createReinvocationState();
  recordCall(rounds, 'a', kept);
  recordCall(rounds, 'b', changedOnce);
  expect(startReinvocation(rounds)).toBe(true);
  recordCall(rounds, 'a', changed);
  recordCall(rounds, 'b', changedOnce);
  expect(startReinvocation(rounds)).toBe(false);
});
