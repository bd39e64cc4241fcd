import { expect, it, vi } from 'vitest';
import { safeObserver } from '../../src/apimachinery/index.ts';

it('safeObserver calls the observer with all arguments', () => {
  const observer = vi.fn();
  safeObserver(observer)(1, 'two');
  expect(observer.mock.calls).toStrictEqual([[1, 'two']]);
});

it('safeObserver does nothing without an observer', () => expect(safeObserver(undefined)()).toBeUndefined());

it('safeObserver catches errors of the observer', () => {
  const observe = safeObserver(() => {
    throw new Error('broken');
  });
  expect(observe).not.toThrow();
});
