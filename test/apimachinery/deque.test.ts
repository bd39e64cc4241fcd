import { expect, test } from 'vitest';
import { createDeque } from '../../src/apimachinery/index.ts';

test('createDeque keeps the index of each element when others are removed', () => {
  const deque = createDeque<string>();
  for (let i = 0; i < 5000; i++) deque.push(`e${i}`);
  for (let i = 0; i < 4321; i++) deque.shift();
  expect([deque.firstIndex, deque.endIndex, deque.peek(), deque.at(4321), deque.at(4999)]).toEqual([4321, 5000, 'e4321', 'e4321', 'e4999']);
  deque.push('more');
  expect([deque.endIndex, deque.at(5000)]).toEqual([5001, 'more']);
});

test('createDeque removes the newest element with pop', () => {
  const deque = createDeque<string>();
  deque.push('a');
  deque.push('b');
  deque.pop();
  deque.push('c');
  expect([deque.at(0), deque.at(1), deque.endIndex]).toEqual(['a', 'c', 2]);
});

test('createDeque returns undefined from peek if it is empty', () => {
  const deque = createDeque<string>();
  expect(deque.peek()).toBeUndefined();
  deque.push('a');
  deque.shift();
  expect([deque.peek(), deque.firstIndex, deque.endIndex]).toEqual([undefined, 1, 1]);
});

test('shift returns the oldest element first, also after the deque was emptied and refilled', () => {
  const deque = createDeque<number>();
  expect(deque.shift()).toBeUndefined();
  deque.push(1);
  deque.push(2);
  expect([deque.shift(), deque.length]).toStrictEqual([1, 1]);
  deque.push(3);
  expect([deque.shift(), deque.shift(), deque.shift(), deque.length]).toStrictEqual([2, 3, undefined, 0]);
  deque.push(4);
  expect([deque.length, deque.shift()]).toStrictEqual([1, 4]);
});
