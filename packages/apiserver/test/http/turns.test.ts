import { expect, test } from 'vitest';
import { createTurns } from '../../src/http/turns.ts';

test('all who wait at the same time wait for the same turn', async () => {
  const nextTurn = createTurns();
  const first = nextTurn();
  expect(nextTurn()).toBe(first);
  await first;
  const second = nextTurn();
  expect(second).not.toBe(first);
  await second;
});

test('what is ready when it begins is done when it is over', async () => {
  const nextTurn = createTurns();
  for (let round = 0; round < 3; round++) {
    const done: string[] = [];
    setImmediate(() => done.push('immediate'));
    void Promise.resolve().then(() => done.push('promise'));
    await nextTurn();
    expect(done.sort()).toEqual(['immediate', 'promise']);
  }
});
