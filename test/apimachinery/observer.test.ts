import { expect, it, vi } from 'vitest';
import { safeObserver } from '../../src/apimachinery/index.ts';

it('calls the observer with all arguments', () => {
  const observer = vi.fn();
  safeObserver(observer)(1, 'two');
  expect(observer.mock.calls).toStrictEqual([[1, 'two']]);
});

it('does nothing without an observer', () => expect(safeObserver(undefined)()).toBeUndefined());

it('catches errors of the observer', () => {
  const observe = safeObserver(() => {
    throw new Error('broken');
  });
  expect(observe).not.toThrow();
});
