import { expect, test } from 'vitest';
import { createDesk, createTurns } from '../../src/queue/turns.ts';
import { settle } from './clock.ts';

test('a key waits once, however often it is added, and since it was added first', () => {
  const turns = createTurns();
  expect([turns.add('a', 1), turns.add('b', 2), turns.add('a', 3)]).toEqual([true, true, false]);
  expect([turns.length, turns.depth, turns.processing]).toEqual([2, 2, 0]);
  expect(turns.next()).toMatchObject({ key: 'a', since: 1 });
  expect(turns.next()).toMatchObject({ key: 'b', since: 2 });
  expect(turns.next()).toBeUndefined();
});

test('a key that is added while it is worked on waits again after that, behind the others', () => {
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

test('the end of work that never began changes nothing', () => {
  const turns = createTurns();
  turns.add('a', 1);
  expect([turns.done('a'), turns.done('b')]).toEqual([false, false]);
  expect([turns.length, turns.depth, turns.processing]).toEqual([1, 1, 0]);
  turns.next();
  expect([turns.done('a'), turns.done('a')]).toEqual([false, false]);
  expect(turns.processing).toBe(0);
});

test('what is there is handed out at once, and what comes to those who stand in line, in order', async () => {
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

test('nobody gets in before those who stand in line', async () => {
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

test('closed, it still hands out what is there', async () => {
  const keys = ['a', 'b'];
  const desk = createDesk(() => keys.shift());
  desk.close();
  expect([await desk.take(), await desk.take(), await desk.take()]).toEqual(['a', 'b', undefined]);
});
