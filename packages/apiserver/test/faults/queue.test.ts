import { expect, it } from 'vitest';
import { createQueue } from '../../src/faults/queue.ts';

it('answers who asked first', async () => {
  const queue = createQueue<string>();
  const asked = [queue.ask(), queue.ask()];
  expect([queue.asks, queue.ended]).toEqual([2, false]);
  queue.answer('a');
  queue.answer('b');
  expect(await Promise.all(asked)).toEqual([
    { done: false, value: 'a' },
    { done: false, value: 'b' },
  ]);
});

it('tells an error once, now or to who asks next, and all others that it is over', async () => {
  const error = new Error('broken');
  const over = { done: true, value: undefined };
  const early = createQueue<string>();
  const asked = [early.ask(), early.ask()];
  early.end({ error });
  early.end({ error: new Error('too late') });
  expect(early.ended).toBe(true);
  await expect(asked[0]).rejects.toBe(error);
  expect([await asked[1], await early.ask()]).toEqual([over, over]);
  const late = createQueue<string>();
  late.end({ error });
  await expect(late.ask()).rejects.toBe(error);
  expect(await late.ask()).toEqual(over);
});
