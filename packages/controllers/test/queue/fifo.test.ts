import { expect, test } from 'vitest';
import { createFifo } from '../../src/queue/fifo.ts';

test('what is in first comes out first, across emptying and refilling', () => {
  const fifo = createFifo<number>();
  expect(fifo.shift()).toBeUndefined();
  fifo.push(1);
  fifo.push(2);
  expect([fifo.shift(), fifo.length]).toEqual([1, 1]);
  fifo.push(3);
  expect([fifo.shift(), fifo.shift(), fifo.shift(), fifo.length]).toEqual([2, 3, undefined, 0]);
  fifo.push(4);
  expect([fifo.length, fifo.shift()]).toEqual([1, 4]);
});

test('cleared, it is as new', () => {
  const fifo = createFifo<string>();
  fifo.push('a');
  fifo.push('b');
  fifo.clear();
  expect([fifo.length, fifo.shift()]).toEqual([0, undefined]);
  fifo.push('c');
  expect([fifo.length, fifo.shift()]).toEqual([1, 'c']);
});
