import { expect, test } from 'vitest';
import { createTurns } from '../../src/queue/turns.ts';

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
