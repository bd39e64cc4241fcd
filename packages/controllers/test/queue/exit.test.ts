import { expect, test } from 'vitest';
import { createExit } from '../../src/queue/queue.ts';
import { settle } from './clock.ts';

test('it is over once it is closed and there is no work', async () => {
  let idle = true;
  let over = false;
  const exit = createExit(() => idle);
  exit.look();
  await settle();
  expect(exit.closed).toBe(false);
  idle = false;
  void exit.close().then(() => {
    over = true;
  });
  await settle();
  expect([exit.closed, over]).toEqual([true, false]);
  exit.look();
  await settle();
  expect(over).toBe(false);
  idle = true;
  exit.look();
  await settle();
  expect(over).toBe(true);
});

test('work that follows at once on other work is waited for', async () => {
  let idle = true;
  let over = false;
  const exit = createExit(() => idle);
  void exit.close().then(() => {
    over = true;
  });
  idle = false;
  await settle();
  expect(over).toBe(false);
});
