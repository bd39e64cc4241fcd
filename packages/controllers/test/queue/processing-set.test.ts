import { expect, test } from 'vitest';
import { createDispatcher, createProcessingSet } from '../../src/queue/processing-set.ts';
import { flushPromises } from './clock.ts';

test('a key that is added twice waits once, from the time of the first addition', () => {
  const processingSet = createProcessingSet();
  expect([processingSet.add('a', 1), processingSet.add('b', 2), processingSet.add('a', 3)]).toEqual([true, true, false]);
  expect([processingSet.length, processingSet.depth, processingSet.processing]).toEqual([2, 2, 0]);
  expect(processingSet.next()).toMatchObject({ key: 'a', since: 1 });
  expect(processingSet.next()).toMatchObject({ key: 'b', since: 2 });
  expect(processingSet.next()).toBeUndefined();
});

test('a key added during its processing waits again afterwards, behind other keys', () => {
  const processingSet = createProcessingSet();
  processingSet.add('a', 1);
  processingSet.next();
  expect([processingSet.add('a', 2), processingSet.add('a', 3)]).toEqual([true, false]);
  expect([processingSet.length, processingSet.depth, processingSet.processing]).toEqual([0, 1, 1]);
  processingSet.add('b', 4);
  expect(processingSet.done('a')).toBe(true);
  expect([processingSet.length, processingSet.depth, processingSet.processing]).toEqual([2, 2, 0]);
  expect([processingSet.next()?.key, processingSet.next()]).toMatchObject(['b', { key: 'a', since: 2 }]);
});

test('done() of a key that is not in processing has no effect', () => {
  const processingSet = createProcessingSet();
  processingSet.add('a', 1);
  expect([processingSet.done('a'), processingSet.done('b')]).toEqual([false, false]);
  expect([processingSet.length, processingSet.depth, processingSet.processing]).toEqual([1, 1, 0]);
  processingSet.next();
  expect([processingSet.done('a'), processingSet.done('a')]).toEqual([false, false]);
  expect(processingSet.processing).toBe(0);
});

test('take() returns an available key at once and pending calls get later keys in order', async () => {
  const keys = ['a'];
  const dispatcher = createDispatcher(() => keys.shift());
  const results: (string | undefined)[] = [];
  for (let i = 0; i < 4; i++) void dispatcher.take().then((key) => results.push(key));
  await flushPromises();
  expect(results).toEqual(['a']);
  keys.push('b', 'c');
  dispatcher.notify();
  dispatcher.notify();
  expect(keys).toEqual(['b', 'c']);
  await flushPromises();
  expect(results).toEqual(['a', 'b', 'c']);
  dispatcher.close();
  await flushPromises();
  expect(results).toEqual(['a', 'b', 'c', undefined]);
});

test('a new take() does not overtake a pending one', async () => {
  const keys: string[] = [];
  const dispatcher = createDispatcher(() => keys.shift());
  const first = dispatcher.take();
  keys.push('a');
  dispatcher.notify();
  const second = dispatcher.take();
  keys.push('b');
  dispatcher.notify();
  expect(await Promise.all([first, second])).toEqual(['a', 'b']);
});

test('after close, available keys can still be taken', async () => {
  const keys = ['a', 'b'];
  const dispatcher = createDispatcher(() => keys.shift());
  dispatcher.close();
  expect([await dispatcher.take(), await dispatcher.take(), await dispatcher.take()]).toEqual(['a', 'b', undefined]);
});
