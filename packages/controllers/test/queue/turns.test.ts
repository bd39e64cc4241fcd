import { expect, test } from 'vitest';
import { createDesk, createTurns } from '../../src/queue/turns.ts';
import { settle } from './clock.ts';

test('a key waits once, since the time it was first added', () => {
  const turns = createTurns();
  expect([turns.add('a', 1), turns.add('b', 2), turns.add('a', 3)]).toEqual([true, true, false]);
  expect([turns.length, turns.depth, turns.processing]).toEqual([2, 2, 0]);
  expect(turns.next()).toMatchObject({ key: 'a', since: 1 });
  expect(turns.next()).toMatchObject({ key: 'b', since: 2 });
  expect(turns.next()).toBeUndefined();
});

test('a key added during its processing waits again afterwards, behind other keys', () => {
  const turns = createTurns();
  turns.add('a', 1);
  turns.next();
  expect([turns.add('a', 2), turns.add('a', 3)]).toEqual([true, false]);
  expect([turns.length, turns.depth, turns.processing]).toEqual([0, 1, 1]);
  turns.add('b', 4);
  expect(turns.done('a')).toBe(true);
  expect([turns.length, turns.depth, turns.processing]).toEqual([2, 2, 0]);
  expect([turns.next()?.key, turns.next()]).toMatchObject(['b', { key: 'a', since: 2 }]);
});

test('done() of a key that is not in processing has no effect', () => {
  const turns = createTurns();
  turns.add('a', 1);
  expect([turns.done('a'), turns.done('b')]).toEqual([false, false]);
  expect([turns.length, turns.depth, turns.processing]).toEqual([1, 1, 0]);
  turns.next();
  expect([turns.done('a'), turns.done('a')]).toEqual([false, false]);
  expect(turns.processing).toBe(0);
});

test('take() returns an available key at once and pending calls get later keys in order', async () => {
  const keys = ['a'];
  const desk = createDesk(() => keys.shift());
  const got: (string | undefined)[] = [];
  for (let i = 0; i < 4; i++) void desk.take().then((key) => got.push(key));
  await settle();
  expect(got).toEqual(['a']);
  keys.push('b', 'c');
  desk.call();
  desk.call();
  expect(keys).toEqual(['b', 'c']);
  await settle();
  expect(got).toEqual(['a', 'b', 'c']);
  desk.close();
  await settle();
  expect(got).toEqual(['a', 'b', 'c', undefined]);
});

test('a new take() does not overtake a pending one', async () => {
  const keys: string[] = [];
  const desk = createDesk(() => keys.shift());
  const first = desk.take();
  keys.push('a');
  desk.call();
  const second = desk.take();
  keys.push('b');
  desk.call();
  expect(await Promise.all([first, second])).toEqual(['a', 'b']);
});

test('after close, available keys can still be taken', async () => {
  const keys = ['a', 'b'];
  const desk = createDesk(() => keys.shift());
  desk.close();
  expect([await desk.take(), await desk.take(), await desk.take()]).toEqual(['a', 'b', undefined]);
});
