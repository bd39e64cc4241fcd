import { expect, test } from 'vitest';
import { createChangeListeners } from '../../src/election/ownership.ts';

test('calls who listens, as often as it was added, until it stops', () => {
  const { add, call } = createChangeListeners();
  const heard: string[] = [];
  const listener = (): void => void heard.push('a');
  const stop = add(listener);
  add(listener);
  call();
  expect(heard).toEqual(['a', 'a']);
  stop();
  stop();
  call();
  expect(heard).toEqual(['a', 'a', 'a']);
});

test('who is added by a listener is called the next time', () => {
  const { add, call } = createChangeListeners();
  const heard: string[] = [];
  add(() => void add(() => void heard.push('late')));
  call();
  expect(heard).toEqual([]);
  call();
  expect(heard).toEqual(['late']);
});
